"""Packs pieces into chunks: what lies in one directory stays together, and few chunks are left half empty."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from inlay.model.diff import Chunk, Piece


@dataclass(frozen=True, slots=True)
class _Group:
    tokens: int
    pieces: tuple[Piece, ...]


def pack(pieces: Sequence[Piece], capacity: int) -> tuple[Chunk, ...]:
    """Chunks of at most `capacity` tokens, unless a single piece is larger; in the order of their first pieces."""
    total = sum(piece.tokens for piece in pieces)
    if total <= capacity:
        return (Chunk(total, tuple(pieces)),) if pieces else ()
    ordered = sorted(pieces, key=place)
    # Whole trees in one chunk tell a model most; single directories leave less room unused.
    trees = _best_fit(_trees(ordered, capacity), capacity)
    directories = _best_fit(_directories(ordered, capacity), capacity)
    return trees if len(trees) <= len(directories) else directories


def place(piece: Piece) -> tuple[list[str], int, int]:
    """Where a piece belongs when directories stay together."""
    return piece.path.split("/")[:-1], piece.section, piece.part


def _directories(ordered: Iterable[Piece], capacity: int) -> list[_Group]:
    return [run for _, group in groupby(ordered, _folder) for run in _runs(list(group), capacity)]


def _folder(piece: Piece) -> str:
    return piece.path.rpartition("/")[0]


def _runs(pieces: Sequence[Piece], capacity: int) -> list[_Group]:
    """Neighbours, as many as fit, then the next ones."""
    runs: list[_Group] = []
    begin = used = 0
    for i, piece in enumerate(pieces):
        if used + piece.tokens > capacity and i > begin:
            runs.append(_Group(used, tuple(pieces[begin:i])))
            begin, used = i, 0
        used += piece.tokens
    return [*runs, _Group(used, tuple(pieces[begin:]))]


def _trees(ordered: Sequence[Piece], capacity: int, depth: int = 0) -> list[_Group]:
    """The largest directories that fit with all that is below them; of others, their parts."""
    total = sum(piece.tokens for piece in ordered)
    if total <= capacity:
        return [_Group(total, tuple(ordered))]
    own = [piece for piece in ordered if piece.path.count("/") <= depth]
    groups = _runs(own, capacity) if own else []
    below = [piece for piece in ordered if piece.path.count("/") > depth]
    for _, group in groupby(below, lambda piece: piece.path.split("/")[depth]):
        groups += _trees(list(group), capacity, depth + 1)
    return groups


def _best_fit(groups: Iterable[_Group], capacity: int) -> tuple[Chunk, ...]:
    """Largest first, each into the fullest chunk that has room for it."""
    rooms: list[tuple[int, int]] = []  # what is left in which chunk, least first
    chunks: list[list[Piece]] = []
    for group in sorted(groups, key=lambda group: -group.tokens):
        at = bisect_left(rooms, (group.tokens, 0))
        if at == len(rooms):
            rooms_left, chunk = capacity, len(chunks)
            chunks.append([])
        else:
            rooms_left, chunk = rooms.pop(at)
        chunks[chunk] += group.pieces
        insort(rooms, (rooms_left - group.tokens, chunk))
    return in_order(chunks)


def in_order(chunks: Iterable[Sequence[Piece]]) -> tuple[Chunk, ...]:
    """Chunks and their pieces as the diff has them."""
    sorted_pieces = [sorted(pieces, key=lambda piece: (piece.section, piece.part)) for pieces in chunks]
    sorted_pieces.sort(key=lambda pieces: (pieces[0].section, pieces[0].part))
    return tuple(Chunk(sum(piece.tokens for piece in pieces), tuple(pieces)) for pieces in sorted_pieces)
