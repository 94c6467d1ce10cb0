"""Slips of laziness: a mark such as `...` stands for lines the model did not care to repeat."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import Passage, unmistakable
from bench.rendering import BLOCKS
from bench.slips.registry import indent_of, slip

MARKS = ("...", "// ... existing code ...", "# ... rest of the code unchanged ...", "/* ... */", "# ...")


@slip("elision", "apply", BLOCKS)
def elided_on_both_sides(draft: Draft) -> bool:
    """The mark stands in FIND and in REPLACE; what is left around the change is still unmistakable."""
    run = _long_run(draft, 6)
    if run is None:
        return False
    passage, first, last = run
    pieces = [Passage(0, passage.ops[: first + 2]), Passage(0, passage.ops[last - 2 :])]
    others = [p for p in draft.said if p is not passage]
    mark = indent_of(passage.ops[first + 2][1]) + draft.rng.choice(MARKS)
    passage.ops[first + 2 : last - 2] = [(" ", mark)]
    return unmistakable(draft.lines, [piece for piece in pieces if piece.changed()] + others)


@slip("elision", "either", BLOCKS)
def elided_in_replace(draft: Draft) -> bool:
    """FIND is complete; REPLACE taken literally would delete code."""
    run = _long_run(draft, 5)
    if run is None or not unmistakable(draft.lines, draft.said):
        return False
    passage, first, last = run
    passage.find = passage.old()
    mark = indent_of(passage.ops[first + 1][1]) + draft.rng.choice(MARKS)
    short = [*passage.ops[: first + 1], (" ", mark), *passage.ops[last - 1 :]]
    passage.replace = [text for kind, text in short if kind != "-"]
    return True


def _long_run(draft: Draft, least: int) -> tuple[Passage, int, int] | None:
    """A run of at least so many context lines in a passage shown with wide surroundings."""
    draft.widen(8)
    for passage in draft.said:
        first = 0
        for k, (kind, text) in enumerate([*passage.ops, ("-", "")]):
            if kind == " " and text.strip() not in MARKS:
                continue
            if k - first >= least:
                return passage, first, k
            first = k + 1
    return None
