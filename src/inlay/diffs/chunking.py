"""From the sections of a diff to chunks within a budget: split, pack, and where that wastes requests, fill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inlay.diffs.packing import in_order, pack, place
from inlay.diffs.splitting import Measure, split
from inlay.model.diff import Chunk, FileDiff, Piece

_TOLERATED = 1.10  # times the fewest chunks possible; beyond that, files are cut to fill chunks
_WORTH = 8  # less than this fraction of a chunk is not filled with part of a file


def chunk(
    files: Sequence[FileDiff], capacity: int, measure: Measure, *, sizes: Sequence[int] | None = None
) -> tuple[Chunk, ...]:
    """The chunks of a diff; `sizes` tells what binaries weigh, file by file."""
    weights = sizes or [0] * len(files)
    pieces = [
        split(file, capacity, measure, section=section, size=size)
        for section, (file, size) in enumerate(zip(files, weights, strict=True))
    ]
    packed = pack([piece for parts in pieces for piece in parts], capacity)
    fewest = -(-sum(chunk.tokens for chunk in packed) // capacity)
    if len(packed) <= fewest * _TOLERATED:
        return packed
    filled = _filled(files, pieces, capacity, measure)
    return filled if len(filled) < len(packed) else packed


def _filled(
    files: Sequence[FileDiff], pieces: Sequence[Sequence[Piece]], capacity: int, measure: Measure
) -> tuple[Chunk, ...]:
    """Neighbour after neighbour, cut where a chunk is full."""
    chunks: list[list[Piece]] = []
    left = 0
    for parts in sorted(pieces, key=lambda parts: place(parts[0])):
        for piece in _parts(files, parts, capacity, measure, left):
            if piece.tokens > left:
                chunks.append([])
                left = capacity
            chunks[-1].append(piece)
            left -= piece.tokens
    return in_order(chunks)


def _parts(
    files: Sequence[FileDiff], parts: Sequence[Piece], capacity: int, measure: Measure, left: int
) -> Iterable[Piece]:
    """The pieces of a file, cut anew where what is left of a chunk can take the first part of it."""
    fits = sum(piece.tokens for piece in parts) <= left
    if fits or left <= capacity // _WORTH or parts[0].placeholder:
        return parts
    return split(files[parts[0].section], capacity, measure, section=parts[0].section, room=left)
