"""Packs groups of pieces into chunks: best fit decreasing, so that few chunks are left half empty."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

from inlay.commits.diff.git_diff import Chunk, DiffPiece


def pack(groups: Iterable[Sequence[DiffPiece]], capacity: int) -> tuple[Chunk, ...]:
    """Chunks of at most `capacity` tokens, unless a single group is larger; pieces of one group stay together."""
    rooms: list[tuple[int, int]] = []  # what is left in which chunk, least first
    chunks: list[list[DiffPiece]] = []
    # The largest first, and in their order where they are equal.
    for group in sorted(groups, key=_tokens, reverse=True):
        tokens = _tokens(group)
        at = bisect_left(rooms, (tokens, 0))
        if at == len(rooms):
            left, chunk = capacity, len(chunks)
            chunks.append([])
        else:
            left, chunk = rooms.pop(at)
        chunks[chunk] += group
        insort(rooms, (left - tokens, chunk))
    return in_order(chunks)


def _tokens(pieces: Iterable[DiffPiece]) -> int:
    return sum(piece.tokens for piece in pieces)


def in_order(chunks: Iterable[Sequence[DiffPiece]]) -> tuple[Chunk, ...]:
    """Chunks and their pieces as the diff has them."""
    ordered = [sorted(pieces, key=_position) for pieces in chunks]
    ordered.sort(key=lambda pieces: _position(pieces[0]))
    return tuple(Chunk(_tokens(pieces), tuple(pieces)) for pieces in ordered)


def _position(piece: DiffPiece) -> tuple[int, int]:
    return piece.section, piece.part
