"""Split a section into pieces that fit: whole if it fits, else at hunks, else between lines; never within a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from inlay.commits.diff import cut_points
from inlay.commits.diff.git_diff import DiffHunk, DiffPiece, FileDiff, Placeholder, Span
from inlay.commits.diff.hunks import hunks, sides

#: How many tokens some bytes of a diff take.
Measure: TypeAlias = Callable[[bytes], int]

_CLOSER = 0.97  # of the capacity, where a tokenizer counts a piece higher than the sum of its parts
_WORTH = 32  # a part smaller than this fraction of a chunk is not begun in what is left of one


def split(
    file: FileDiff,
    capacity: int,
    measure: Measure,
    *,
    section: int = 0,
    room: int | None = None,
    size: int = 0,
    known: Sequence[DiffHunk] | None = None,
) -> tuple[DiffPiece, ...]:
    """The pieces of a section, in order, each of at most `capacity` tokens unless it is a placeholder.

    With `room` the first piece takes no more than that, and hunks are cut to use all of it; otherwise only those are
    that fit no piece. `size` is the bytes of a binary; `known` are the hunks, where they were read before.
    """
    if file.binary:
        tokens = measure(b"x" * min(size, 1 << 16)) * max(1, size >> 16)
        note = f"[binary: {size:,} bytes, about {tokens:,} tokens; not text, so its content is left out]\n"
        data = file.data + note.encode()
        return (DiffPiece(file.path, data, measure(data), section, 0, Placeholder("binary", size, tokens)),)
    tokens = measure(file.data)
    if tokens <= (capacity if room is None else room):
        return (DiffPiece(file.path, file.data, tokens, section),)
    aim, parts = capacity, hunks(file) if known is None else known
    while True:
        pieces = _Splitting(file, aim, measure, section, room).pieces(parts)
        if all(piece.tokens <= capacity or piece.placeholder for piece in pieces):
            return pieces
        aim = int(aim * _CLOSER)


class _Splitting:
    def __init__(self, file: FileDiff, capacity: int, measure: Measure, section: int, room: int | None) -> None:
        self._file, self._capacity, self._measure, self._section = file, capacity, measure, section
        self._header = measure(file.header)
        self._limit = capacity if room is None else min(room, capacity)
        self._used = self._header
        self._current: list[bytes] = []
        self._pieces: list[DiffPiece] = []

    def pieces(self, parts: Iterable[DiffHunk]) -> tuple[DiffPiece, ...]:
        for hunk in parts:
            self._place(hunk)
        self._flush()
        if not self._pieces:  # a header alone, longer than a chunk
            self._add(self._file.data, None)
        return tuple(self._pieces)

    def _place(self, hunk: DiffHunk) -> None:
        whole = self._file.data[hunk.start : hunk.end]
        tokens = self._measure(whole)
        fits_alone = self._header + tokens <= self._capacity
        is_worth_filling = self._limit < self._capacity and self._limit - self._used > self._capacity // _WORTH
        if self._used + tokens > self._limit and fits_alone and not is_worth_filling:
            self._flush()
        if self._used + tokens <= self._limit:
            self._current.append(whole)
            self._used += tokens
        else:
            self._cut(hunk, max(1.0, len(whole) / max(1, tokens)))

    def _cut(self, hunk: DiffHunk, density: float) -> None:
        """Put a hunk into as many pieces as it takes, each part under an `@@` line of its own."""
        old, new, at = [span.first for span in hunk.old], hunk.new.first, hunk.body
        while at < hunk.end:
            if self._limit - self._used < self._capacity // _WORTH:
                self._flush()
            end = self._reach(hunk, at, density)
            if end is None and (self._current or self._limit < self._capacity):
                self._flush()  # it may fit a piece of its own
                continue
            stop = end or cut_points.after_unit(self._file.data, at, hunk.end)
            removed, added = self._sides(hunk, at, stop, old, new)
            if end is None:
                self._leave_out(at, stop, old[0], new)
            else:
                spans = tuple(_span(start, count) for start, count in zip(old, removed, strict=True))
                self._append(_line(replace(hunk, old=spans, new=_span(new, added))), at, stop)
            old = [start + count for start, count in zip(old, removed, strict=True)]
            new, at = new + added, stop

    def _sides(self, hunk: DiffHunk, at: int, stop: int, old: list[int], new: int) -> tuple[list[int], int]:
        """How many lines of each side a part has; the last has those that are left."""
        if stop < hunk.end:
            return sides(self._file.data, at, stop, hunk)
        left = [span.first + span.count - start for span, start in zip(hunk.old, old, strict=True)]
        return left, hunk.new.first + hunk.new.count - new

    def _reach(self, hunk: DiffHunk, at: int, density: float) -> int | None:
        """How far the lines from `at` fit into the piece, or None where not even the first does."""
        room = self._limit - self._used - self._measure(_widest(hunk)) - 1
        reach, best = int(room * density), None
        for _ in range(4):
            end = cut_points.boundary(self._file.data, at, at + max(reach, 1), hunk)
            if end is None:
                break
            tokens = self._measure(self._file.data[at:end])
            if tokens <= room:
                best = end if best is None else max(best, end)
                if end == hunk.end or tokens > 0.95 * room:
                    break
            reach = int((end - at) * room / max(1, tokens) * 0.99)
        if best is None:
            best = cut_points.after_unit(self._file.data, at, hunk.end)
            if self._measure(self._file.data[at:best]) > room:
                return None
        # git applies no hunk that changes nothing, so context alone waits for the change that follows it.
        may_wait = self._current or self._limit < self._capacity
        return None if may_wait and not cut_points.changes(self._file.data, at, best) else best

    def _append(self, head: bytes, at: int, end: int) -> None:
        part = head + self._file.data[at:end]
        self._current.append(part)
        self._used += self._measure(part)
        if not cut_points.changes(self._file.data, at, end):
            self._flush()  # between lines too long for any piece; by itself it spoils no other

    def _leave_out(self, at: int, end: int, old: int, new: int) -> None:
        """A line that fits no chunk is replaced by a note."""
        self._flush()
        line = self._file.data[at:end]
        size, tokens = len(line), self._measure(line)
        kind, number = {b"-": ("removed", old), b"+": ("added", new)}.get(line[:1], ("unchanged", new))
        note = f"[{kind} line {number}: {size:,} bytes, about {tokens:,} tokens; too long for a request, left out]\n"
        self._add(self._file.header + note.encode(), Placeholder("long-line", size, tokens))

    def _flush(self) -> None:
        if self._current:
            self._add(b"".join([self._file.header, *self._current]), None)
        self._current, self._used, self._limit = [], self._header, self._capacity

    def _add(self, data: bytes, placeholder: Placeholder | None) -> None:
        part, tokens = len(self._pieces), self._measure(data)
        if placeholder is None and tokens > self._capacity and not self._file.data[self._file.body :]:
            placeholder = Placeholder("long-line", len(data), tokens)
        self._pieces.append(DiffPiece(self._file.path, data, tokens, self._section, part, placeholder))


def _span(first: int, count: int) -> Span:
    return Span(first - (count == 0), count)


def _widest(hunk: DiffHunk) -> bytes:
    """An `@@` line at least as long as that of any part."""
    *old, new = (Span(span.first + span.count, span.count) for span in (*hunk.old, hunk.new))
    return _line(replace(hunk, old=tuple(old), new=new))


def _line(hunk: DiffHunk) -> bytes:
    """The `@@` line of a hunk."""
    marks = b"@" * (len(hunk.old) + 1)
    old = b" ".join(b"-%d,%d" % (span.start, span.count) for span in hunk.old)
    return b"%s %s +%d,%d %s%s\n" % (marks, old, hunk.new.start, hunk.new.count, marks, hunk.heading)
