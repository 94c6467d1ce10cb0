"""Where a hunk may be cut: between lines, a mark of a missing newline stays with its line, changes stay together."""

from __future__ import annotations

import re

from inlay.commits.diff.git_diff import DiffHunk
from inlay.commits.diff.hunks import after_line

_CHANGE = re.compile(rb"\n[+-]")


def after_unit(data: bytes, at: int, end: int) -> int:
    """The end of the line at `at`, with the mark that belongs to it."""
    cut = after_line(data, at)
    while data.startswith(b"\\", cut) and cut < end:
        cut = after_line(data, cut)
    return min(cut, end)


def changes(data: bytes, at: int, end: int) -> bool:
    """Whether any line there is added or removed."""
    return _CHANGE.search(data, at - 1, end) is not None


def boundary(data: bytes, at: int, stop: int, hunk: DiffHunk) -> int | None:
    """The best place to cut between `at` and `stop`, or None where the first line reaches beyond."""
    if stop >= hunk.end:
        return hunk.end
    cut = data.rfind(b"\n", at, stop) + 1
    while cut > at and data.startswith(b"\\", cut):
        cut = data.rfind(b"\n", at, cut - 1) + 1
    if cut <= at:
        return None
    cut = _nicer(data, at, cut, hunk)
    if changes(data, cut, hunk.end):
        return cut
    # Not where only context would be left over: git applies no hunk that changes nothing.
    change = max(data.rfind(b"\n+", at, cut), data.rfind(b"\n-", at, cut)) + 1
    return change if change > at else cut


def _nicer(data: bytes, at: int, cut: int, hunk: DiffHunk) -> int:
    """Shortly before: where a change ends, or in lines of one kind, after a blank one."""
    if hunk.new.count and all(span.count for span in hunk.old):
        place = data.rfind(b"\n ", cut - (cut - at) // 16, cut) + 1
        return place if place > at else cut
    blank = b"\n+\n" if hunk.new.count else b"\n-\n"
    place = data.rfind(blank, cut - (cut - at) // 32, cut) + 3
    return place if place > at + 3 else cut
