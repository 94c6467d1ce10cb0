"""From the sections of a diff to chunks within a budget: neighbours together, and as few chunks as that allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from inlay.commits.diff.git_diff import Chunk, DiffHunk, DiffPiece, FileDiff
from inlay.commits.diff.hunks import hunks
from inlay.commits.diff.pack import in_order, pack
from inlay.commits.diff.split import Measure, split

_TOLERATED = 1.10  # times the fewest chunks possible; beyond that, order gives way to fewer requests
_WORTH = 32  # less than this fraction of a chunk is not filled with part of a file


def chunk(
    files: Sequence[FileDiff], capacity: int, measure: Measure, *, sizes: Sequence[int] | None = None
) -> tuple[Chunk, ...]:
    """The chunks of a diff; `sizes` are the bytes of binaries, file by file."""
    weights = sizes or [0] * len(files)
    sections = [
        _Section(number, file, measure(file.data), size)
        for number, (file, size) in enumerate(zip(files, weights, strict=True))
    ]
    return _Chunking(sections, capacity, measure).chunks()


@dataclass(frozen=True, slots=True)
class _Section:
    number: int
    file: FileDiff
    tokens: int
    size: int

    @property
    def folders(self) -> list[str]:
        """The directories above it, the outermost first."""
        return self.file.path.split("/")[:-1]


class _Chunking:
    def __init__(self, sections: Sequence[_Section], capacity: int, measure: Measure) -> None:
        self._sections, self._capacity, self._measure = sections, capacity, measure
        self._hunks: dict[int, tuple[DiffHunk, ...]] = {}

    def chunks(self) -> tuple[Chunk, ...]:
        if sum(section.tokens for section in self._sections) <= self._capacity:
            whole = tuple(piece for section in self._sections for piece in self._pieces(section))
            if (total := sum(piece.tokens for piece in whole)) <= self._capacity:
                return (Chunk(total, whole),) if whole else ()
        best: tuple[Chunk, ...] = ()
        for packed in self._ways(sorted(self._sections, key=lambda section: (section.folders, section.number))):
            best = packed if not best or len(packed) < len(best) else best
            fewest = -(-sum(chunk.tokens for chunk in best) // self._capacity)
            if len(best) <= fewest * _TOLERATED:
                break
        return best

    def _ways(self, ordered: Sequence[_Section]) -> Iterator[tuple[Chunk, ...]]:
        """Whole trees together tell a model most, single directories pack closer, one after the other fills all."""
        folders = [list(group) for _, group in groupby(ordered, lambda section: section.folders)]
        if len(folders) > 1:
            yield pack(self._trees(ordered), self._capacity)
        yield pack((run for folder in folders for run in self._runs(folder)), self._capacity)
        yield in_order(self._runs(ordered))

    def _trees(self, ordered: Sequence[_Section], depth: int = 0) -> Iterator[Sequence[DiffPiece]]:
        """The largest directories that fit with all that is below them; of others, their parts."""
        if sum(section.tokens for section in ordered) <= self._capacity:
            yield from self._runs(ordered)
            return
        # The directory below this one; none for the files that lie in it themselves.
        for below, group in groupby(ordered, lambda section: section.folders[depth : depth + 1]):
            parts = list(group)
            yield from self._trees(parts, depth + 1) if below else self._runs(parts)

    def _runs(self, sections: Iterable[_Section]) -> list[list[DiffPiece]]:
        """Neighbours, as many as fit, then the next; the file at the border is cut, and so is a neighbour to both."""
        runs: list[list[DiffPiece]] = []
        left = 0
        for section in sections:
            for piece in self._pieces(section, left):
                if piece.tokens > left:
                    runs.append([])
                    left = self._capacity
                runs[-1].append(piece)
                left -= piece.tokens
        return runs

    def _pieces(self, section: _Section, left: int | None = None) -> tuple[DiffPiece, ...]:
        """A file whole where it fits; else cut, so that its first part stays with the neighbour before it."""
        file, number, tokens = section.file, section.number, section.tokens
        room = left if left is not None and left > self._capacity // _WORTH else None
        if tokens <= (self._capacity if room is None else room) and not file.binary:
            return (DiffPiece(file.path, file.data, tokens, number),)
        if number not in self._hunks:
            self._hunks[number] = hunks(file)
        known = self._hunks[number]
        return split(file, self._capacity, self._measure, section=number, room=room, size=section.size, known=known)
