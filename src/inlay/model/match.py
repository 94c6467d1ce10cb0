"""Where an edit was found in a file, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass

#: The rule of an edit that the file shows to be made already.
IN_PLACE = "already in place"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the wanted lines are in a file.

    Each wanted line has the half-open range of 0-based file lines that match it, or None where the file has
    no line of its own for it (a blank line too many, a line that the file joins to the one before).
    """

    spans: tuple[tuple[int, int] | None, ...]
    rule: str

    @classmethod
    def run(cls, first: int, count: int, rule: str) -> Place:
        """`count` wanted lines that follow each other from line `first` on."""
        return cls(tuple((n, n + 1) for n in range(first, first + count)), rule)

    @property
    def first(self) -> int:
        span = self.spans[0]  # nearly always there, and asked for often
        return span[0] if span else next(span[0] for span in self.spans if span)

    @property
    def end(self) -> int:
        """The file line after the last one of the place."""
        span = self.spans[-1]
        return span[1] if span else next(span[1] for span in reversed(self.spans) if span)


@dataclass(frozen=True, slots=True)
class Match:
    """How one edit landed, for people and programs to read."""

    edit: int  #: number of the edit in the reply
    rule: str  #: the rule that found the place; `IN_PLACE` when there was nothing left to do
    line: int  #: 1-based first line of the place in the file as it was
    end_line: int
    adapted: tuple[str, ...] = ()  #: what was changed about the edit to make it fit
    description: str = ""
