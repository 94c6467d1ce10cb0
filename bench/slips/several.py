"""Slips between edits: out of order, overlapping, at odds, in a chain, or made already."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import Passage, applied, loosely, places, unmistakable
from bench.rendering import BLOCKS, CONTEXT, collides, render
from bench.slips.registry import slip


@slip("order", "apply", joins=True)
def out_of_order(draft: Draft) -> bool:
    if len(draft.said) < 2:
        return False
    first = draft.said[:]
    while draft.said == first:
        draft.rng.shuffle(draft.said)
    return True


@slip("order", "either")
def overlapping(draft: Draft) -> bool:
    """Neighbouring changes as edits of their own, whose context shows the other's old lines."""
    if not draft.widen(CONTEXT[draft.format], merge=False):
        return False
    return any(a.stop > b.start for a, b in zip(draft.said, draft.said[1:], strict=False))


@slip("order", "refuse")
def rivals(draft: Draft) -> bool:
    """Two edits want something different of the same lines."""
    k = draft.rng.randrange(len(draft.said))
    rival = draft.said[k].copy()
    last = rival.changed()[-1]
    if rival.ops[last][0] == "+":
        rival.ops[last] = ("+", rival.ops[last][1] + " // otherwise")
    else:
        rival.ops.insert(last + 1, ("+", "// otherwise"))
    draft.said.insert(k + 1, rival)
    return True


@slip("order", "apply", BLOCKS)
def chained(draft: Draft) -> bool:
    """The second edit changes what the first one wrote."""
    passage = draft.said[0]
    added = [k for k, (kind, text) in enumerate(passage.ops) if kind == "+" and text.strip()]
    if not added or len(draft.said) != 1:
        return False
    right = passage.ops[added[0]][1]
    draft_text = right + " provisional_wording"
    passage.ops[added[0]] = ("+", draft_text)
    draft.said.append(Passage(passage.start, [("-", draft_text), ("+", right)]))
    draft.hide_numbers()
    return sum(text == right for _, text in passage.ops) == 0


@slip("nothing to do", "noop")
def already_applied(draft: Draft) -> bool:
    rows = applied(draft.lines, draft.ends, draft.truth)
    draft.lines, draft.ends = [text for text, _ in rows], [end for _, end in rows]
    bare = loosely(draft.lines)
    return not any(places(bare, loosely(p.old())) for p in draft.said)


@slip("nothing to do", "noop", BLOCKS)
def nothing_changes(draft: Draft) -> bool:
    """FIND and REPLACE are the same."""
    for passage in draft.said:
        passage.ops = [(" ", text) for kind, text in passage.ops if kind != "+"]
    return True


@slip("mixed formats", "either", ("search_replace", "unified_diff"))
def formats_mixed(draft: Draft) -> bool:
    """The first edit in one format, the others in another."""
    if len(draft.said) < 2:
        return False
    other = "unified_diff" if draft.format == "search_replace" else "search_replace"
    rest = draft.said[1:]
    if collides(other, rest) or not unmistakable(draft.lines, rest):
        return False
    del draft.said[1:]
    text = render(other, rest, draft.change.path, draft.change.tag, draft.wording).text
    draft.wraps.append(lambda first: f"{first}\n{text}")
    draft.named = False
    return True
