"""Slips in quoting the file: misspelt, another name, another case, a line forgotten, cut off or said twice."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.passages import Passage, applied, loosely, places
from bench.rendering import BLOCKS, CONTEXT
from bench.slips.registry import indent_of, slip

_WORD = re.compile(r"[A-Za-z_]{4,}")


@slip("near miss", "near")
def context_misspelt(draft: Draft) -> bool:
    """A letter lost or doubled in a line that the edit does not change."""
    hit = draft.said_line(" ", re.compile(r"[a-z]{4}").search)
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    word = draft.rng.choice(list(re.finditer(r"[a-z]{4,}", text)))
    at = draft.rng.randrange(word.start() + 1, word.end() - 1)
    passage.ops[k] = (" ", text[:at] + draft.rng.choice((text[at] * 2, "")) + text[at + 1 :])
    return True


@slip("misquote", "refuse")
def changed_line_misnamed(draft: Draft) -> bool:
    """A line to be removed names something else that exists in the file: not the line that was meant."""
    return _misname(draft, "-")


@slip("misquote", "either")
def context_misnamed(draft: Draft) -> bool:
    """A context line names something else that exists in the file."""
    return _misname(draft, " ")


def _misname(draft: Draft, kinds: str) -> bool:
    hit = draft.said_line(kinds, _WORD.search)
    names = sorted({name for text in draft.lines for name in _WORD.findall(text)})
    if not hit or len(names) < 5:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    word = draft.rng.choice(list(_WORD.finditer(text)))
    other = draft.rng.choice([name for name in names if name.lower() != word.group().lower()])
    return _misquote(draft, passage, k, text[: word.start()] + other + text[word.end() :])


@slip("misquote", "refuse")
def changed_line_in_other_case(draft: Draft) -> bool:
    return _recase(draft, "-")


@slip("misquote", "either")
def context_in_other_case(draft: Draft) -> bool:
    return _recase(draft, " ")


def _recase(draft: Draft, kinds: str) -> bool:
    hit = draft.said_line(kinds, _WORD.search)
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    word = draft.rng.choice(list(_WORD.finditer(text)))
    return _misquote(draft, passage, k, text[: word.start()] + word.group().swapcase() + text[word.end() :])


def _misquote(draft: Draft, passage: Passage, k: int, text: str) -> bool:
    """Put the wrong text in, unless the edit then says something sensible after all."""
    kind, right = passage.ops[k]
    added = loosely(said for side, said in passage.ops if side == "+")
    if kind == "-" and set(added) & set(loosely([right, text])):
        return False  # the line as it is, or as misquoted, is also what is wanted
    if draft.format in BLOCKS and sum(said == right for _, said in passage.ops) > 1:
        return False  # the same line again on the other side: the edit would only move it
    passage.ops[k] = (kind, text)
    return not places(draft.lines, passage.old()) and not places(draft.lines, [text])


@slip("forgotten line", "either")
def context_line_forgotten(draft: Draft) -> bool:
    """A line missing from the quoted context must not go missing from the file."""
    if not draft.widen(6):
        return False
    passage = draft.rng.choice(draft.said)
    changed = passage.changed()
    inner = [k for k in range(1, len(passage.ops) - 1) if k < changed[0] - 2 or k > changed[-1] + 2]
    solid = [k for k in inner if passage.ops[k][1].strip()]
    if not solid:
        return False
    del passage.ops[draft.rng.choice(solid)]
    return True


@slip("cut in mid-line", "apply", BLOCKS)
def last_line_cut(draft: Draft) -> bool:
    """Both sides stop in the middle of the last context line; the rest of it stays."""
    passage = draft.rng.choice(draft.said)
    kind, text = passage.ops[-1]
    if kind != " " or len(text.strip()) < 8 or len(passage.old()) < 2:
        return False
    passage.ops[-1] = (kind, text[: draft.rng.randrange(len(indent_of(text)) + 4, len(text) - 2)].rstrip())
    return _once(draft, passage.old())


@slip("cut in mid-line", "apply", BLOCKS)
def first_line_cut(draft: Draft) -> bool:
    """Both sides begin in the middle of the first context line."""
    passage = draft.rng.choice(draft.said)
    kind, text = passage.ops[0]
    if kind != " " or len(text.strip()) < 8 or len(passage.old()) < 2:
        return False
    passage.ops[0] = (kind, text[draft.rng.randrange(len(indent_of(text)) + 2, len(text) - 4) :].lstrip())
    return _once(draft, passage.old())


@slip("cut in mid-line", "apply", BLOCKS)
def only_the_phrase(draft: Draft) -> bool:
    """Both sides quote the changed words of one line and nothing else."""
    for passage, true in zip(draft.said, draft.truth, strict=True):
        at = true.changed()
        changed = [true.ops[k] for k in at]
        if [kind for kind, _ in changed] != ["-", "+"] or at[1] - at[0] != 1:
            return False
        if indent_of(changed[0][1]) != indent_of(changed[1][1]):
            return False  # the phrase begins after the indentation, so it cannot say that this changes
        old, new = _phrases(changed[0][1], changed[1][1])
        if len(old.strip()) < 6 or not new.strip() or old in new or not _once(draft, [old]):
            return False
        passage.find, passage.replace = [old], [new]
    return True


def _phrases(old: str, new: str) -> tuple[str, str]:
    """The differing words of two lines, with a word of their surroundings."""
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    head = max(len(indent_of(old)), old.rfind(" ", 0, max(0, head - 1)) + 1)
    limit = min(len(old), len(new)) - head
    tail = next((n for n in range(limit) if old[-1 - n] != new[-1 - n]), limit)
    tail = max(0, tail - 12)
    return old[head : len(old) - tail], new[head : len(new) - tail]


def _once(draft: Draft, wanted: list[str]) -> bool:
    return "\n".join(draft.lines).count("\n".join(wanted)) == 1


@slip("said twice", "either", BLOCKS)
def next_line_repeated(draft: Draft) -> bool:
    """REPLACE goes on with the line after FIND; whether it is meant twice cannot be known."""
    k = draft.rng.randrange(len(draft.truth))
    true, said = draft.truth[k], draft.said[k]
    if true.stop >= len(draft.lines) or not draft.lines[true.stop].strip() or draft.wording.whole:
        return False
    following = draft.lines[true.stop]
    said.replace = [*said.new(), following]
    literal = [p.copy() if p is not true else Passage(p.start, [*p.ops, ("+", following)]) for p in draft.truth]
    draft.also.append(draft.file(applied(draft.lines, draft.ends, literal)))
    return CONTEXT[draft.format] > 0
