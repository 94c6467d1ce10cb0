"""Finds the hunks of a section by the counts in their headers, whatever their lines contain."""

from __future__ import annotations

import re

from inlay.commits.diff.git_diff import DiffHunk, FileDiff, Span
from inlay.errors import DiffMalformed

_HEADER = re.compile(rb"(@@+)((?: -\d+(?:,\d+)?)+) \+(\d+)(?:,(\d+))? @@+([^\n]*)\n")
_SIMPLE = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@([^\n]*)\n")  # nearly every one
_OLD = re.compile(rb"-(\d+)(?:,(\d+))?")

_BACKSLASH = ord("\\")


def hunks(file: FileDiff) -> tuple[DiffHunk, ...]:
    """The hunks of a section; raises DiffMalformed where the counts do not fit the lines."""
    result, at = [], file.body
    while at < len(file.data):
        result.append(read(file.data, at))
        at = result[-1].end
    return tuple(result)


def read(data: bytes, at: int) -> DiffHunk:
    """The hunk whose `@@` line begins at `at`."""
    simple = _SIMPLE.match(data, at)
    if simple:
        start, count, new_start, new_count, heading = simple.groups(b"1")
        sides_of = (Span(int(start), int(count)),), Span(int(new_start), int(new_count))
        return DiffHunk(*sides_of, heading, at, simple.end(), _end(data, simple.end(), *sides_of))
    header = _HEADER.match(data, at)
    if header is None:
        raise DiffMalformed(f"not a hunk: {data[at : at + 60]!r}")
    old = tuple(Span(int(span[1]), int(span[2] or 1)) for span in _OLD.finditer(header[2]))
    new = Span(int(header[3]), int(header[4] or 1))
    return DiffHunk(old, new, header[5], at, header.end(), _end(data, header.end(), old, new))


def _end(data: bytes, body: int, old: tuple[Span, ...], new: Span) -> int:
    """Where the hunk ends. Counting within a guess is done at memory speed; only a wrong guess is walked through."""
    if len(old) == 1:
        guess = data.find(b"\n@@", body - 1) + 1 or len(data)
        if data.endswith(b"\n", body - 1, guess) and _keeps(data, body, guess, old[0].count, new.count):
            return guess
    return walk(data, body, [span.count for span in old], new.count)


def _keeps(data: bytes, start: int, end: int, old: int, new: int) -> bool:
    """Whether the lines match the counts. The added lines and all lines together leave no choice for the others."""
    lines = data.count(b"\n", start, end)
    added = data.count(b"\n+", start - 1, end - 1) if new and old else new
    if lines - added != old:
        lines -= data.count(b"\n\\", start - 1, end - 1)
    return lines - added == old and added <= new <= lines


def walk(data: bytes, at: int, old: list[int], new: int) -> int:
    """Where the lines end that the counts promise, looking at each."""
    columns = len(old)
    while new > 0 or any(count > 0 for count in old):
        marks = data[at : at + columns]
        if not marks:
            raise DiffMalformed("a hunk is shorter than its header says")
        if marks[0] != _BACKSLASH:
            new -= _take(marks, old)
        at = after_line(data, at)
    if new < 0 or any(count < 0 for count in old):
        raise DiffMalformed("a hunk is longer than its header says")
    while data.startswith(b"\\", at):
        at = after_line(data, at)
    return at


def _take(marks: bytes, old: list[int]) -> int:
    """Count one line against every parent that has it; whether the result has it."""
    if marks.strip(b" +-\n\r"):
        raise DiffMalformed(f"not a line of a hunk: {marks!r}")
    present = b"-" if b"-" in marks else b" "
    blank = marks[:1] in (b"\n", b"\r")  # some tools cut the blank off an empty context line
    for column in range(len(old)):
        old[column] -= blank or marks[column : column + 1] == present
    return 0 if present == b"-" else 1


def after_line(data: bytes, at: int) -> int:
    return data.find(b"\n", at) + 1 or len(data)


def sides(data: bytes, start: int, end: int, hunk: DiffHunk) -> tuple[list[int], int]:
    """How many lines of each parent and of the result are between two places of a hunk."""
    if len(hunk.old) == 1:
        lines = data.count(b"\n", start, end)
        if not hunk.old[0].count or not hunk.new.count:  # as of every new file: a mark only at the end
            lines -= data.startswith(b"\\", data.rfind(b"\n", start - 1, end - 1) + 1)
            return [lines if hunk.old[0].count else 0], lines if hunk.new.count else 0
        lines -= data.count(b"\n\\", start - 1, end - 1)
        removed, added = data.count(b"\n-", start - 1, end - 1), data.count(b"\n+", start - 1, end - 1)
        return [lines - added], lines - removed
    old, new = [0] * len(hunk.old), 0
    while start < end:
        if data[start] != _BACKSLASH:
            new += _take(data[start : start + len(old)], old)
        start = after_line(data, start)
    return [-count for count in old], new
