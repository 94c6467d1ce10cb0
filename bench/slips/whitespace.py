"""Slips in blanks that carry no meaning: behind lines, between lines, inside lines."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.passages import Op, Passage
from bench.rendering import BLOCKS
from bench.slips.registry import slip


@slip("whitespace", "apply", joins=True)
def trailing_blanks_in_edit(draft: Draft) -> bool:
    return draft.reword(lambda text: text + draft.rng.choice((" ", "   ", "\t")), " -", 0.5)


@slip("whitespace", "apply", joins=True)
def trailing_blanks_in_file(draft: Draft) -> bool:
    """The file's kept lines keep their blanks although the edit does not know them."""
    chosen = [spot for spot in draft.region(" -") if draft.rng.random() < 0.5]
    for passage, k, at in chosen:
        draft.set_line(passage, k, at, passage.ops[k][1] + "  ")
    return bool(chosen) and not any(slides(p) for p in draft.truth)


def slides(passage: Passage) -> bool:
    """Whether a change could as well stand a line further up or down: then its neighbours are not determined."""
    kinds: dict[str, set[str]] = {" ": set(), "-": set(), "+": set()}
    for kind, text in passage.ops:
        kinds[kind].add(text.strip())
    return bool(kinds["-"] & kinds["+"] or kinds[" "] & (kinds["-"] | kinds["+"]))


@slip("blank lines", "apply")
def blank_lines_lost(draft: Draft) -> bool:
    """Only well away from the change: beside it, the place of an addition would be a guess."""
    return draft.widen(6) and sum(_without_blanks(p) for p in draft.said) > 0


def _without_blanks(passage: Passage) -> bool:
    calm = _calm(passage)
    kept = [op for k, op in enumerate(passage.ops) if k not in calm]
    hit = len(kept) < len(passage.ops)
    passage.ops = kept
    return hit


def _calm(passage: Passage) -> set[int]:
    """Blank context lines with a line of text on both sides before any change comes."""
    changed, solid = passage.changed(), [k for k, (_, text) in enumerate(passage.ops) if text.strip()]
    first = max((k for k in solid if k < changed[0]), default=-1)
    last = min((k for k in solid if k > changed[-1]), default=len(passage.ops))
    inner = range(solid[0] + 1, solid[-1])
    return {k for k in inner if not passage.ops[k][1] and (k < first or k > last)}


@slip("blank lines", "apply")
def blank_lines_doubled(draft: Draft) -> bool:
    """The file's own count of blank lines stays."""
    if not draft.widen(6):
        return False
    hit = False
    for passage in draft.said:
        calm = _calm(passage)
        doubled: list[Op] = []
        for k, op in enumerate(passage.ops):
            doubled += [op, op] if k in calm else [op]
        hit, passage.ops = hit or bool(calm), doubled
    return hit


@slip("blank lines", "apply", joins=True)
def blank_lines_around(draft: Draft) -> bool:
    """Blank lines at the edges of both sides that the file does not have."""
    where = draft.rng.choice(("head", "tail", "both"))
    blank: list[Op] = [(" ", "")]
    for passage in draft.said:
        passage.ops = blank * (where != "tail") + passage.ops + blank * (where != "head")
    return all(p.ops[0 if where != "tail" else -2][0] != "+" for p in draft.said)


@slip("inner blanks", "either")
def inner_blanks(draft: Draft) -> bool:
    """`f( a,b )` for `f(a, b)`, in a context line."""
    hit = draft.said_line(" ", lambda text: re.search(r"\w\(\w|, \w", text))
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    spaced = re.sub(r"(\w\()(\w)", r"\1 \2", text)
    passage.ops[k] = (" ", spaced if spaced != text else text.replace(", ", ","))
    return True


@slip("inner blanks", "either", BLOCKS)
def lines_joined(draft: Draft) -> bool:
    """Two context lines on one."""
    for passage in draft.said:
        for k in range(len(passage.ops) - 1):
            (kind, text), (following, rest) = passage.ops[k], passage.ops[k + 1]
            if kind == following == " " and text.strip() and rest.strip():
                passage.ops[k : k + 2] = [(" ", f"{text} {rest.strip()}")]
                return True
    return False


@slip("inner blanks", "either")
def lines_wrapped(draft: Draft) -> bool:
    """One context line on two."""
    hit = draft.said_line(" ", lambda text: " " in text.strip())
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    middle = text.rindex(" ", 0, len(text.rstrip()))
    if not text[:middle].strip():
        return False
    passage.ops[k : k + 1] = [(" ", text[:middle]), (" ", "        " + text[middle:].strip())]
    return True
