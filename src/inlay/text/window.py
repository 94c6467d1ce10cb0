"""The stretches in which two texts differ, found at the speed of memory and without copying either text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from inlay.text.edit_script import runs
from inlay.text.lines import count_lines

_STRIDE = 1 << 16  # characters compared at once: large enough to be quick, small enough to cost no memory
_STRIDES = tuple(_STRIDE >> shift for shift in range(_STRIDE.bit_length()))
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)|[^\r\n]+\Z")
# Beyond these a comparison line by line would cost more time and memory than a person's question is worth.
_MOST_LINES = 20_000
_MOST_CHARACTERS = 2_000_000
_MOST_LOOKS = 30  # at the next stretch of a large window, before the rest is taken for one block
_SAME_AGAIN = 7  # equal lines in a row after which two texts are in step again; more than the context of two hunks


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of either text, at line boundaries."""

    before: str
    after: str
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def counts(self) -> tuple[int, int]:
        old = count_lines(self.before, self.old_start, self.old_end)
        return old, count_lines(self.after, self.new_start, self.new_end)

    @property
    def is_large(self) -> bool:
        characters = self.old_end - self.old_start + self.new_end - self.new_start
        # A line takes at least one character, so most windows need no counting.
        return characters > _MOST_CHARACTERS or (characters > _MOST_LINES and sum(self.counts) > _MOST_LINES)

    def widened(self, lines: int) -> Window:
        """The same window with that many common lines around it, as far as there are so many."""
        less = more = 0
        for _ in range(lines):
            less = self.old_start - (self.before.rfind("\n", 0, max(self.old_start - less - 1, 0)) + 1)
            newline = self.before.find("\n", self.old_end + more)
            more = (len(self.before) if newline < 0 else newline + 1) - self.old_end
        old, new = (self.old_start - less, self.old_end + more), (self.new_start - less, self.new_end + more)
        return Window(self.before, self.after, *old, *new)

    def lines(self) -> tuple[list[str], list[str]]:
        old = _LINE.findall(self.before[self.old_start : self.old_end])
        return old, _LINE.findall(self.after[self.new_start : self.new_end])


def window(before: str, after: str) -> Window:
    """What is left of two texts without the lines that they share at both ends."""
    return _trimmed(Window(before, after, 0, len(before), 0, len(after)))


def windows(core: Window) -> Iterator[Window]:
    """A large window as the smaller stretches in which its texts differ, as far as a few looks can tell."""
    rest = core
    for _ in range(_MOST_LOOKS):
        step = _in_step_again(rest)
        if step is None:
            break
        old, new = rest.old_start + step[0], rest.new_start + step[1]
        yield replace(rest, old_end=old, new_end=new)
        rest = _trimmed(replace(rest, old_start=old, new_start=new))
    if rest.old_start < rest.old_end or rest.new_start < rest.new_end:
        yield rest


def _in_step_again(rest: Window) -> tuple[int, int] | None:
    """How far on either side the texts agree again, or None where the next stretch does not show it."""
    old_end, new_end = min(rest.old_start + _STRIDE, rest.old_end), min(rest.new_start + _STRIDE, rest.new_end)
    old, new = replace(rest, old_end=old_end, new_end=new_end).lines()
    found = runs(old, new)
    for run, following in pairwise(found):
        if following[0] - run[1] >= _SAME_AGAIN:
            return sum(map(len, old[: run[1]])), sum(map(len, new[: run[3]]))
    return None


def _trimmed(whole: Window) -> Window:
    head = _common_head(whole)
    start = whole.before.rfind("\n", whole.old_start, whole.old_start + head) + 1 or whole.old_start
    head = start - whole.old_start
    rest = replace(whole, old_start=start, new_start=whole.new_start + head)
    tail = _common_tail(rest)
    at, other = rest.old_end - tail, rest.new_end - tail
    if not _begins_line(rest.before, at) or not _begins_line(rest.after, other):
        # The common tail begins in the middle of a line, which is not common as a whole.
        end = rest.before.find("\n", at, rest.old_end)
        tail = 0 if end < 0 else tail - (end + 1 - at)
    return replace(rest, old_end=rest.old_end - tail, new_end=rest.new_end - tail)


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def _common_head(whole: Window) -> int:
    before, after, old, new = whole.before, whole.after, whole.old_start, whole.new_start
    size, most = 0, min(whole.old_end - old, whole.new_end - new)
    for step in _STRIDES:
        while size + step <= most and before[old + size : old + size + step] == after[new + size : new + size + step]:
            size += step
    return size


def _common_tail(whole: Window) -> int:
    before, after, old, new = whole.before, whole.after, whole.old_end, whole.new_end
    size, most = 0, min(old - whole.old_start, new - whole.new_start)
    for step in _STRIDES:
        while size + step <= most and before[old - size - step : old - size] == after[new - size - step : new - size]:
            size += step
    return size
