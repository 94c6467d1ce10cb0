"""Where an edit was found in a file, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where the wanted lines stand: for each the 0-based file line, or None where the file has no such line."""

    lines: tuple[int | None, ...]
    rule: str

    @property
    def first(self) -> int:
        """The first file line of the place."""
        return next(n for n in self.lines if n is not None)

    @property
    def last(self) -> int:
        """The last file line of the place."""
        return next(n for n in reversed(self.lines) if n is not None)


@dataclass(frozen=True, slots=True)
class Match:
    """How one edit landed, for people and programs to read."""

    edit: int  #: number of the edit in the reply
    rule: str  #: the rule that found the place; "already applied" when there was nothing left to do
    line: int  #: 1-based first line of the place in the file as it was
    end_line: int
    adapted: tuple[str, ...] = ()  #: what was changed about the edit to make it fit
    description: str = ""
