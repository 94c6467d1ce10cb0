"""Which lines of two texts correspond: of several shortest ways from one to the other, the one that git takes.

Myers' search from both ends at once [1]; then lines that are only added or only removed, and could be so in several
places, move to where both texts change, or else as far down as they go.

[1] E. Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1 (1986), section 4b
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from inlay.text.edit_script import Run, runs

_MOST_STEPS = 400_000  # of one alignment, a few tenths of a second
_NOWHERE = 1 << 30


class _TooMuch(Exception):
    """The texts have too little in common for an exact answer."""


def aligned(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """Where two sequences of lines differ; where too much does, whole stretches are one run."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    marks = bytearray(len(old)), bytearray(len(new))
    try:
        _mark((old, new), (start, len(old) - end), (start, len(new) - end), marks)
    except _TooMuch:
        return runs(old, new)
    _settle(old, marks[0], _gaps(marks[1]))
    _settle(new, marks[1], _gaps(marks[0]))
    return _runs(*marks)


def _mark(
    texts: tuple[Sequence[str], Sequence[str]],
    old_span: tuple[int, int],
    new_span: tuple[int, int],
    marks: tuple[bytearray, bytearray],
) -> None:
    """Mark the lines that have no counterpart."""
    known = [set(lines) for lines in texts]
    kept: list[Sequence[int]] = []
    # A line that the other side does not have at all need not be searched for.
    for lines, other, mark, (start, end) in zip(texts, reversed(known), marks, (old_span, new_span), strict=True):
        numbers: Sequence[int] = [n for n in range(start, end) if lines[n] in other]
        kept.append(numbers)
        if len(numbers) < end - start:
            mark[start:end] = b"\1" * (end - start)
            for n in numbers:
                mark[n] = 0
    search = _Search(*([lines[n] for n in numbers] for lines, numbers in zip(texts, kept, strict=True)))
    search.mark(0, len(kept[0]), 0, len(kept[1]))
    for mark, numbers, changed in zip(marks, kept, search.changed, strict=True):
        at = changed.find(1)
        while at >= 0:
            mark[numbers[at]] = 1
            at = changed.find(1, at + 1)


class _Search:
    """The shortest way between two sequences, in linear space."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._old, self._new = old, new
        self._steps = _MOST_STEPS
        self.changed = bytearray(len(old)), bytearray(len(new))

    def mark(self, start: int, end: int, new_start: int, new_end: int) -> None:
        old, new = self._old, self._new
        while start < end and new_start < new_end and old[start] == new[new_start]:
            start, new_start = start + 1, new_start + 1
        while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
            end, new_end = end - 1, new_end - 1
        if start == end or new_start == new_end:
            self.changed[0][start:end] = b"\1" * (end - start)
            self.changed[1][new_start:new_end] = b"\1" * (new_end - new_start)
            return
        x, y = self._middle(start, end, new_start, new_end)
        self.mark(start, x, new_start, y)
        self.mark(x, end, y, new_end)

    def _middle(self, start: int, end: int, new_start: int, new_end: int) -> tuple[int, int]:
        """Where the furthest ways from either end meet; a diagonal is the difference of the two positions."""
        old, new = self._old[start:end], self._new[new_start:new_end]
        width, height = len(old), len(new)
        delta, zero = width - height, height + 1  # the last diagonal, and where diagonal 0 is in the arrays
        there, back = (array("l", [value]) * (width + height + 3) for value in (-1, _NOWHERE))
        there[zero], back[zero + delta] = 0, width
        low, high, back_low, back_high = 0, 0, delta, delta
        while True:
            low, high = _widened(there, -1, low, high, zero, (-height, width))
            for k in range(high, low - 1, -2):
                x = max(there[zero + k - 1] + 1, there[zero + k + 1])
                while x < width and x - k < height and old[x] == new[x - k]:
                    x += 1
                there[zero + k] = x
                if delta & 1 and back_low <= k <= back_high and back[zero + k] <= x:
                    return start + x, new_start + x - k
            back_low, back_high = _widened(back, _NOWHERE, back_low, back_high, zero, (-height, width))
            for k in range(back_high, back_low - 1, -2):
                x = min(back[zero + k - 1], back[zero + k + 1] - 1)
                while x > 0 and x - k > 0 and old[x - 1] == new[x - k - 1]:
                    x -= 1
                back[zero + k] = x
                if not delta & 1 and low <= k <= high and x <= there[zero + k]:
                    return start + x, new_start + x - k
            self._steps -= high - low + back_high - back_low + 2
            if self._steps < 0:
                raise _TooMuch


def _widened(
    reached: array[int], unreached: int, low: int, high: int, zero: int, bounds: tuple[int, int]
) -> tuple[int, int]:
    """The diagonals of the next step: one more on either side, or one less where there are no more."""
    if low > bounds[0]:
        low -= 1
        reached[zero + low - 1] = unreached
    else:
        low += 1
    if high < bounds[1]:
        high += 1
        reached[zero + high + 1] = unreached
    else:
        high -= 1
    return low, high


def _groups(marks: bytearray) -> Iterator[tuple[int, int]]:
    """Where changed lines begin and end."""
    start = marks.find(1)
    while start >= 0:
        end = marks.find(0, start)
        end = end if end >= 0 else len(marks)
        yield start, end
        start = marks.find(1, end)


def _gaps(marks: bytearray) -> frozenset[int]:
    """How many unchanged lines there are before each group of changed ones."""
    gaps: list[int] = []
    changed = 0
    for start, end in _groups(marks):
        gaps.append(start - changed)
        changed += end - start
    return frozenset(gaps)


def _settle(lines: Sequence[str], marks: bytearray, others: frozenset[int]) -> None:
    """Move groups of changed lines that can be in several places; `others` are the gaps of the other text."""
    at, gap = 0, 0
    while (start := marks.find(1, at)) >= 0:
        gap += start - at
        end = marks.find(0, start)
        at, gap = _settle_group(lines, marks, others, (start, end if end >= 0 else len(lines), gap))


def _settle_group(
    lines: Sequence[str], marks: bytearray, others: frozenset[int], group: tuple[int, int, int]
) -> tuple[int, int]:
    """Where the group ends at last, and in which gap; groups that it meets become part of it."""
    start, end, gap = group
    size = -1
    while size != end - start:
        size = end - start
        while start > 0 and lines[start - 1] == lines[end - 1]:
            start, end, gap = start - 1, end - 1, gap - 1
            marks[start], marks[end] = 1, 0
            while start > 0 and marks[start - 1]:
                start -= 1
        highest, meets = end, gap in others
        while end < len(lines) and lines[start] == lines[end]:
            marks[start], marks[end] = 0, 1
            start, end, gap = start + 1, end + 1, gap + 1
            while end < len(lines) and marks[end]:
                end += 1
            meets |= gap in others
    while meets and end != highest and gap not in others:
        start, end, gap = start - 1, end - 1, gap - 1
        marks[start], marks[end] = 1, 0
    return end, gap


def _runs(old: bytearray, new: bytearray) -> list[Run]:
    """Groups of both sides in the same gap are one run."""
    found: list[Run] = []
    groups, new_groups = list(_groups(old)), list(_groups(new))
    at = new_at = shift = 0  # `shift`: lines of the new side less lines of the old one, up to here
    while at < len(groups) or new_at < len(new_groups):
        start = groups[at][0] if at < len(groups) else len(old) + 1
        new_start = new_groups[new_at][0] if new_at < len(new_groups) else len(new) + 1
        first = min(start, new_start - shift)
        end, new_end = first, first + shift
        if start == first:
            end, at = groups[at][1], at + 1
        if new_start == first + shift:
            new_end, new_at = new_groups[new_at][1], new_at + 1
        found.append((first, end, first + shift, new_end))
        shift = new_end - end
    return found
