"""Joins two changed versions of a text, line by line, as git does; what both changed differently is a conflict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inlay.text.edit_script import Run
from inlay.text.line_alignment import aligned

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """Lines that both sides changed, and differently; without their endings."""

    line: int  #: 1-based line of `ours` where the conflict begins
    ours: tuple[str, ...]
    theirs_line: int
    theirs: tuple[str, ...]
    base_line: int


@dataclass(frozen=True, slots=True)
class MergeResult:
    text: str  #: in a conflict it has the lines of `theirs`
    conflicts: tuple[MergeConflict, ...] = ()


def merge(base: str, ours: str, theirs: str) -> MergeResult:
    """`ours` with what `theirs` changed of `base`; every line keeps its bytes.

    Changes of the same or of adjacent lines are a conflict unless they are equal.

    >>> merge("a\\nb\\nc\\n", "A\\nb\\nc\\n", "a\\nb\\nC\\n").text
    'A\\nb\\nC\\n'
    >>> merge("a\\nb\\nc\\n", "A\\nb\\nc\\n", "a\\nB\\nc\\n").conflicts[0].theirs
    ('a', 'B')
    """
    if base == theirs or ours == theirs:
        return MergeResult(ours)
    if base == ours:
        return MergeResult(theirs)
    old, our, their = (_LINE.findall(text) for text in (base, ours, theirs))
    text, conflicts, changes = _merged(old, our, their)
    if not conflicts:
        # Repeated lines can correspond in several ways; a result that depends on the way is not certain.
        again, others, _ = _merged(old[::-1], our[::-1], their[::-1])
        conflicts = changes if not others and again[::-1] != text else []
    return MergeResult("".join(text), tuple(conflicts))


def _merged(
    old: list[str], our: list[str], their: list[str]
) -> tuple[list[str], list[MergeConflict], list[MergeConflict]]:
    """The lines of the result, the conflicts, and everything that `their` changes."""
    text: list[str] = []
    conflicts: list[MergeConflict] = []
    changes: list[MergeConflict] = []
    at = 0  # of `our`
    for first, (start, end), (other_start, other_end), by_us, by_them in _chunks(
        aligned(old, our), aligned(old, their)
    ):
        mine, other = our[start:end], their[other_start:other_end]
        text += our[at:start]
        text += other if by_them else mine
        at = end
        if by_them and mine != other:
            changes.append(MergeConflict(start + 1, _bare(mine), other_start + 1, _bare(other), first + 1))
            conflicts += changes[-1:] if by_us else []
    return text + our[at:], conflicts, changes


def line_changes(base: str, other: str) -> list[Run]:
    """Where the lines of two texts differ, as `merge` sees it."""
    return aligned(_LINE.findall(base), _LINE.findall(other))


def _bare(lines: list[str]) -> tuple[str, ...]:
    return tuple(line.rstrip("\r\n") for line in lines)


def _chunks(
    ours: Sequence[Run], theirs: Sequence[Run]
) -> Iterator[tuple[int, tuple[int, int], tuple[int, int], bool, bool]]:
    """Every changed stretch: its line of the base, its lines of either side, and who changed it.

    Changes that overlap or touch are one stretch.
    """
    changes = sorted([(run, 0) for run in ours] + [(run, 1) for run in theirs])
    shift = [0, 0]  # lines of a side that are before a stretch, more than there were in the base
    at = 0
    while at < len(changes):
        (start, end, _, _), _ = changes[at]
        starts, by = (start + shift[0], start + shift[1]), [False, False]
        while at < len(changes) and changes[at][0][0] <= end:
            run, side = changes[at]
            end, shift[side], by[side] = max(end, run[1]), run[3] - run[1], True
            at += 1
        yield start, (starts[0], end + shift[0]), (starts[1], end + shift[1]), by[0], by[1]
