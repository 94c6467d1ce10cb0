"""Slips in saying where: the same text stands in several places."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import Passage, cut, orderings, places
from bench.slips.registry import slip


@slip("several places", "refuse", natural=True)
def ambiguous(draft: Draft) -> bool:
    """As the history has it: a line of context does not tell the places apart. Order or numbers still may."""
    draft.truth = cut(draft.change, 1)
    draft.said = [p.copy() for p in draft.truth]
    if all(len(places(draft.lines, p.old())) == 1 for p in draft.said):
        return False
    if draft.format in ("unified_diff", "json_edits") or orderings(draft.lines, draft.said) == 1:
        draft.outcome = "either"
    return all(p.old() for p in draft.said)


@slip("several places", "refuse")
def twin(draft: Draft) -> bool:
    """The passage stands a second time somewhere else."""
    draft.hide_numbers()
    return draft.insert_outside(draft.rng.choice(draft.truth).old()) is not None


@slip("several places", "apply")
def twin_indented(draft: Draft) -> bool:
    """The second copy is indented otherwise: the exact one is meant."""
    draft.hide_numbers()
    passage = draft.rng.choice(draft.truth)
    unit = "\t" if any(text.startswith("\t") for text in draft.lines) else "    "
    at = draft.insert_outside([unit + text if text.strip() else text for text in passage.old()])
    return at is not None and all(len(places(draft.lines, p.old())) == 1 for p in draft.said)


@slip("several places", "apply")
def twins_both_meant(draft: Draft) -> bool:
    """As many identical edits as places: one for each."""
    copy = _second(draft)
    if copy is None:
        return False
    draft.said.append(draft.said[0].copy())
    draft.truth.append(copy)
    return len(places(draft.lines, copy.old())) == 2


@slip("several places", "refuse")
def twins_of_three(draft: Draft) -> bool:
    """Two identical edits for three places."""
    if _second(draft) is None or _second(draft) is None:
        return False
    draft.said.append(draft.said[0].copy())
    return len(places(draft.lines, draft.said[0].old())) == 3


def _second(draft: Draft) -> Passage | None:
    """Another place that the only passage fits; None where the draft does not allow for one."""
    if len(draft.said) != 1 or len(draft.lines) < 12:
        return None
    draft.hide_numbers()
    true = draft.truth[0]
    at = draft.insert_outside(true.old())
    return None if at is None else Passage(at, list(true.ops))


@slip("several places", "refuse", ("apply_patch",))
def addition_without_anchor(draft: Draft) -> bool:
    """Only added lines: nothing says where they belong."""
    passage = draft.said[0]
    added = [op for op in passage.ops if op[0] == "+" and op[1].strip()]
    if len(added) != len(passage.changed()) or len(draft.said) != 1:
        return False
    passage.ops = added
    return True
