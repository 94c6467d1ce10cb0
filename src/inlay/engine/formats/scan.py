"""Walks a reply from the top; the format whose edit opens first owns its lines, so that no line is read twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inlay.engine.formats.envelope import Fence, FenceWalk, Reply, fence_on, next_solid
from inlay.engine.formats.format import MOST_PARTS, Claim, Format, Opening, TooMany, Unreadable
from inlay.engine.formats.names import path_on

_MOST_FAILURES = 20  # enough to correct a reply from
_NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Claimed:
    """One stretch of the reply with the format that owns it: read, or failed."""

    format: Format
    start: int
    end: int
    claim: Claim | None
    failure: Unreadable | None = None
    in_fence: bool = False  #: stands in a code fence that its format knows nothing of


class _Cursor:
    def __init__(self, reply: Reply, format: Format, line: int = 0, stop: int | None = None) -> None:
        self._reply = reply
        self._stop = len(reply.text) if stop is None else reply.starts[stop]
        self.format = format
        self.line = -1
        self.move(line)

    def move(self, line: int) -> None:
        if self.line < line:
            starts, text = self._reply.starts, self._reply.text
            found = self.format.opening.search(text, starts[line], self._stop) if line < len(starts) else None
            self.line = self._reply.line_at(found.start()) if found else _NEVER


class Scan:
    def __init__(self, reply: Reply, formats: Sequence[Format], asked: bool) -> None:
        self._reply, self._asked = reply, asked
        # A literal search is far cheaper than a pattern, and most formats are absent from most replies.
        present = [format for format in formats if any(mark in reply.text for mark in format.marks)]
        self._cursors = [_Cursor(reply, format) for format in present]
        self._fences = FenceWalk(reply.lines) if present else FenceWalk(())
        self._floor = 0
        self._latest: tuple[tuple[str, int, int, Fence | None], Claim | int | Unreadable] | None = None

    def run(self) -> Iterator[Claimed]:
        failures = 0
        for _ in range(MOST_PARTS):
            line = min((cursor.line for cursor in self._cursors), default=_NEVER)
            if line == _NEVER or failures >= _MOST_FAILURES:
                return
            if found := self._at(line):
                failures += found.failure is not None
                yield found
        raise TooMany(0)

    def _at(self, line: int) -> Claimed | None:
        here = [cursor for cursor in self._cursors if cursor.line == line]
        fence = self._fences.at(line)
        found = [each for cursor in here if (each := self._read(cursor, line, fence)) is not None]
        if not found:
            return None
        owner = found[0] if len(found) == 1 else _contested(found)
        self._floor = max(owner.end, line + 1)
        self._fences.skip(self._floor)
        for cursor in self._cursors:
            cursor.move(self._floor)
        return owner

    def _read(self, cursor: _Cursor, line: int, fence: Fence | None) -> Claimed | None:
        format = cursor.format
        outcome = self._attempt(format, line, fence)
        in_fence = fence is not None and not format.fenced
        if isinstance(outcome, int):
            cursor.move(max(outcome, line + 1))
            return None
        if format.whole and (quoted := self._edit_inside(line, outcome.end)):
            cursor.move(line + 1)
            return quoted if quoted.failure else None
        if isinstance(outcome, Unreadable):
            return Claimed(format, line, outcome.end, None, outcome, in_fence)
        return Claimed(format, outcome.start, outcome.end, outcome, None, in_fence)

    def _attempt(self, format: Format, line: int, fence: Fence | None) -> Claim | int | Unreadable:
        """What a format makes of a line; the latest outcome is kept, since a fence is looked into before its edits."""
        key = format.name, line, self._floor, fence
        if self._latest is None or self._latest[0] != key:
            try:
                outcome = format.read(Opening(self._reply, line, self._floor, fence, self._asked))
            except Unreadable as failure:
                self._latest = key, failure
            else:
                self._latest = key, outcome
        return self._latest[1]

    def _edit_inside(self, line: int, end: int) -> Claimed | None:
        """The edit that is the content of a fence, which therefore is no file; or the conflict between the two."""
        lines = self._reply.lines
        others = [cursor for cursor in self._cursors if not cursor.format.whole]
        top = next_solid(lines, line + 1)
        top = next_solid(lines, top + 1) if top < len(lines) and path_on(lines[top]) else top
        for cursor in others:
            if self._edits(cursor, line + 1, top + 1):
                return Claimed(cursor.format, line, end, None)
        for cursor in others:
            if any(not _in_inner_fence(lines, line + 1, at) for at in self._edits(cursor, line + 1, end, broken=False)):
                return _contested([Claimed(cursor.format, line, end, None)])
        return None

    def _edits(self, cursor: _Cursor, start: int, stop: int, broken: bool = True) -> list[int]:
        """Lines between two others where edits of a format really open, those that cannot be read included or not."""
        found: list[int] = []
        if cursor.line >= stop:  # asking the cursor first keeps many fences from being many searches to the end
            return found
        probe = _Cursor(self._reply, cursor.format, start, stop)
        fence = fence_on(self._reply.lines[start - 1])
        while probe.line < stop and len(found) < _MOST_FAILURES:
            outcome = self._attempt(cursor.format, probe.line, fence)
            if isinstance(outcome, Claim) or (broken and not isinstance(outcome, int)):
                found.append(probe.line)
            probe.move(max(outcome if isinstance(outcome, int) else outcome.end, probe.line + 1))
        return found


def _in_inner_fence(lines: Sequence[str], start: int, line: int) -> bool:
    """Whether a line of a fenced file stands in a fenced block of that file's own."""
    walk = FenceWalk(lines)
    walk.skip(start)
    return walk.at(line) is not None


def _contested(found: list[Claimed]) -> Claimed:
    names = " and ".join(claimed.format.name for claimed in found)
    message = f"a fenced file holds {names} edits beside other text"
    if len(found) > 1:
        message = f"line {found[0].start + 1} can be read as {names}"
    end = max(claimed.end for claimed in found)
    advice = "Write every edit in one format only, and quote no markers of another."
    failure = Unreadable(message, end, code="ambiguous-format", advice=advice)
    return Claimed(found[0].format, found[0].start, end, None, failure)
