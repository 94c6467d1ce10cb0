"""A diff as git wrote it: sections, hunks, the pieces it is cut into and the chunks they are sent in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["modified", "added", "deleted", "renamed", "copied"]
Reason: TypeAlias = Literal["binary", "long-line"]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One section of a diff. A file whose type changes has two, so a path is no key."""

    path: str  #: where the file is afterwards, or was if it is gone; bytes that are no UTF-8 are surrogate escapes
    old_path: str
    status: Status
    data: bytes  #: the section, every byte as git wrote it
    body: int  #: where in `data` the first hunk begins; its length where there is none
    binary: bool = False
    parents: int = 1  #: more than one in a combined diff

    @property
    def header(self) -> bytes:
        """The lines before the first hunk."""
        return self.data[: self.body]


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of one side: their start and their number, as in an `@@` line."""

    start: int
    count: int

    @property
    def first(self) -> int:
        """The 1-based line they begin at; git names the line before where there are none."""
        return self.start + (self.count == 0)


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """One hunk, as places in its section's bytes."""

    old: tuple[Span, ...]  #: one for each parent
    new: Span
    heading: bytes  #: what follows the second `@@`, its blank included
    start: int  #: where the `@@` line begins
    body: int  #: where the line after it begins
    end: int


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Replaces content that cannot be sent."""

    reason: Reason
    bytes: int
    tokens: int


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A part of a section that can be read, and applied, by itself."""

    path: str
    data: bytes  #: a diff of its own, with the section's header
    tokens: int
    section: int = 0  #: which section of the diff it comes from, counted from 0
    part: int = 0  #: which part of that section, counted from 0
    placeholder: Placeholder | None = None

    @property
    def text(self) -> str:
        """The diff as a model reads it: bytes that are no UTF-8 become U+FFFD."""
        return self.data.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Pieces that are sent together."""

    tokens: int
    pieces: tuple[DiffPiece, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it covers, each once, in order."""
        return tuple(dict.fromkeys(piece.path for piece in self.pieces))
