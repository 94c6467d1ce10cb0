"""The difference between two texts, line by line: changed lines with a little context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, islice, zip_longest
from typing import Literal, TypeAlias

from inlay.text.edit_script import Run, runs
from inlay.text.lines import count_lines
from inlay.text.window import Window, window, windows

Kind: TypeAlias = Literal[" ", "-", "+", "@", "\\"]
Spans: TypeAlias = tuple[tuple[int, int], ...]  # half-open ranges of characters

_CONTEXT = 3
_LONGEST_LINE = 100_000  # characters
_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
_LONGEST_COMPARED = 400  # characters; in a longer line nobody looks for words
_LEAST_SHARED = 0.4  # of the characters: with less in common the lines are two lines, not one that changed


@dataclass(frozen=True, slots=True)
class DiffLine:
    kind: Kind
    text: str
    emphasis: Spans = ()  #: the characters that differ from the line's counterpart, where it has one

    @property
    def plain(self) -> str:
        return self.text if self.kind in "@\\" else f"{self.kind}{self.text}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """One window with its context, and where its lines differ."""

    window: Window
    runs: tuple[Run, ...]  #: in lines of the window; empty where it was too large to look into
    removed: int
    added: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How two texts differ; the lines are made only as far as they are asked for."""

    stretches: tuple[Stretch, ...]

    @property
    def removed(self) -> int:
        return sum(stretch.removed for stretch in self.stretches)

    @property
    def added(self) -> int:
        return sum(stretch.added for stretch in self.stretches)

    def lines(self, longest_run: int | None = None) -> Iterator[DiffLine]:
        """The lines of a unified diff, without file headers; of either side of a run no more than `longest_run`."""
        for stretch in self.stretches:
            if not stretch.runs:
                yield from _as_one_block(stretch, longest_run)
                continue
            old, new = stretch.window.lines()
            # CR-LF where all lines that end end so, which then is no news; else a line feed, and any CR is shown.
            is_crlf = all(line.endswith("\r\n") for line in old + new if line[-1] in "\r\n")
            first = _lines_before(stretch.window)
            for group in _groups(stretch.runs):
                yield from _hunk(group, old, new, "\r\n" if is_crlf else "\n", first, longest_run)


def difference(before: str, after: str) -> Difference:
    """What a person should see of the way from one text to the other."""
    core = window(before, after)
    stretches = [_stretch(core)] if not core.is_large else [_stretch(part) for part in windows(core)]
    return Difference(tuple(stretch for stretch in stretches if stretch.removed or stretch.added))


def _stretch(core: Window) -> Stretch:
    if core.is_large:
        return Stretch(core, (), *core.counts)
    wide = core.widened(_CONTEXT)
    found = tuple(runs(*wide.lines()))
    removed = sum(run[1] - run[0] for run in found)
    return Stretch(wide, found, removed, sum(run[3] - run[2] for run in found))


def compare(before: str, after: str) -> Iterator[DiffLine]:
    """The lines of a unified diff, without file headers."""
    return difference(before, after).lines()


def lost_lines(before: str, after: str) -> int:
    """How many lines of `before` have no like in `after`; a line that moved or was re-indented is not lost."""
    core = window(before, after)
    if core.is_large:
        return difference(before, after).removed
    old, new = core.lines()
    return (Counter(map(str.strip, old)) - Counter(map(str.strip, new))).total()


def _lines_before(shown: Window) -> tuple[int, int]:
    return count_lines(shown.before, 0, shown.old_start), count_lines(shown.after, 0, shown.new_start)


def _as_one_block(stretch: Stretch, most: int | None) -> Iterator[DiffLine]:
    """Everything that goes, then everything that comes, without ever holding more than a line."""
    large, (old, new) = stretch.window, _lines_before(stretch.window)
    yield DiffLine("@", f"@@ -{_span(old, old + stretch.removed)} +{_span(new, new + stretch.added)} @@")
    for line in islice(_one_by_one(large.before, large.old_start, large.old_end), most):
        yield from _told("-", line, "\n")
    for line in islice(_one_by_one(large.after, large.new_start, large.new_end), most):
        yield from _told("+", line, "\n")


def _one_by_one(text: str, start: int, end: int) -> Iterator[str]:
    """The lines of a stretch; of a line that is a file in itself only the beginning."""
    ending = "\n" if text.find("\n", start, end) >= 0 else "\r"
    while start < end:
        stop = text.find(ending, start, end) + 1 or end
        yield text[start:stop] if stop - start <= _LONGEST_LINE else f"{text[start : start + _LONGEST_LINE]}…{ending}"
        start = stop


def _groups(found: tuple[Run, ...]) -> Iterator[list[Run]]:
    """Runs whose contexts touch belong to one hunk."""
    group: list[Run] = []
    for run in found:
        if group and run[0] - group[-1][1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(run)
    if group:
        yield group


def _hunk(
    group: list[Run], old: list[str], new: list[str], ending: str, first: tuple[int, int], most: int | None
) -> Iterator[DiffLine]:
    before = min(_CONTEXT, group[0][0])
    after = min(_CONTEXT, len(old) - group[-1][1])
    old_from, old_to = group[0][0] - before, group[-1][1] + after
    new_from, new_to = group[0][2] - before, group[-1][3] + after
    spans = _span(first[0] + old_from, first[0] + old_to), _span(first[1] + new_from, first[1] + new_to)
    yield DiffLine("@", f"@@ -{spans[0]} +{spans[1]} @@")
    at = old_from
    for run in group:
        yield from _context(old[at : run[0]], ending)
        yield from _changed(old[run[0] : run[1]][:most], new[run[2] : run[3]][:most], ending)
        at = run[1]
    yield from _context(old[at:old_to], ending)


def _span(start: int, end: int) -> str:
    count = end - start
    return f"{start + 1 if count else start},{count}" if count != 1 else f"{start + 1}"


def _context(lines: list[str], ending: str) -> Iterator[DiffLine]:
    for line in lines:
        yield from _told(" ", line, ending)


def _changed(old: list[str], new: list[str], ending: str) -> Iterator[DiffLine]:
    pairs = [(_bare(a, ending), _bare(b, ending)) for a, b in zip_longest(old, new, fillvalue="")]
    marked = [differing(a, b) if a and b else ((), ()) for a, b in pairs]
    for line, (spans, _) in zip(old, marked, strict=False):
        yield from _told("-", line, ending, spans)
    for line, (_, spans) in zip(new, marked, strict=False):
        yield from _told("+", line, ending, spans)


def _bare(line: str, ending: str) -> str:
    return line.removesuffix(ending) if line.endswith(ending) else line.removesuffix("\n")


def _told(kind: Kind, line: str, ending: str, emphasis: Spans = ()) -> Iterator[DiffLine]:
    yield DiffLine(kind, _bare(line, ending), emphasis)
    if not line.endswith(("\n", "\r")):
        yield DiffLine("\\", "\\ No newline at end of file")


def differing(old: str, new: str) -> tuple[Spans, Spans]:
    """The characters of either line that the other has not; nothing where the lines are not alike."""
    if max(len(old), len(new)) > _LONGEST_COMPARED:
        return (), ()
    a, b = _WORD.findall(old), _WORD.findall(new)
    changes = runs(a, b)
    lost = sum(len("".join(a[run[0] : run[1]])) for run in changes)
    if len(old) - lost < _LEAST_SHARED * max(len(old.strip()), len(new.strip()), 1):
        return (), ()
    return _spans(a, [run[:2] for run in changes]), _spans(b, [run[2:] for run in changes])


def _spans(words: list[str], ranges: list[tuple[int, int]]) -> Spans:
    offsets = [0, *accumulate(map(len, words))]
    return tuple((offsets[start], offsets[end]) for start, end in ranges if end > start)
