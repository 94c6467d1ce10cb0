"""Where a hunk may be cut: between lines, a mark of a missing newline stays with its line, changes stay together."""

from __future__ import annotations

import re

from inlay.model.git_diff import DiffHunk

_CHANGE = re.compile(rb"\n[+-]")


def after_unit(data: bytes, at: int, end: int) -> int:
    """The end of the line at `at`, with the mark that belongs to it."""
    cut = _after_line(data, at, end)
    while data.startswith(b"\\", cut) and cut < end:
        cut = _after_line(data, cut, end)
    return cut


def changes(data: bytes, at: int, end: int) -> bool:
    """Whether any line there is added or removed."""
    return _CHANGE.search(data, at - 1, end) is not None


def boundary(data: bytes, at: int, stop: int, hunk: DiffHunk) -> int | None:
    """The best place to cut between `at` and `stop`, or None where the first line reaches beyond."""
    if stop >= hunk.end:
        return hunk.end
    cut = _whole_units(data, at, data.rfind(b"\n", at, stop) + 1)
    if cut <= at:
        return None
    cut = _nicer(data, at, cut, hunk)
    return _with_a_change(data, at, cut, hunk.end)


def _whole_units(data: bytes, at: int, cut: int) -> int:
    while cut > at and data.startswith(b"\\", cut):
        cut = data.rfind(b"\n", at, cut - 1) + 1
    return cut


def _nicer(data: bytes, at: int, cut: int, hunk: DiffHunk) -> int:
    """Shortly before: where a change ends, or in lines of one kind, after a blank one."""
    if hunk.new.count and all(span.count for span in hunk.old):
        found = data.rfind(b"\n ", cut - (cut - at) // 16, cut) + 1
        return found if found > at else cut
    blank = b"\n+\n" if hunk.new.count else b"\n-\n"
    found = data.rfind(blank, cut - (cut - at) // 32, cut) + 3
    return found if found > at + 3 else cut


def _with_a_change(data: bytes, at: int, cut: int, end: int) -> int:
    """Not where only context would be left over: git applies no hunk that changes nothing."""
    if changes(data, cut, end):
        return cut
    change = max(data.rfind(b"\n+", at, cut), data.rfind(b"\n-", at, cut)) + 1
    return change if change > at else cut


def _after_line(data: bytes, at: int, end: int) -> int:
    found = data.find(b"\n", at, end)
    return end if found < 0 else found + 1
