"""What a rule looks for: the old side of an edit, and which of its lines the edit leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.model.edit import Op
from inlay.model.match import Place
from inlay.text.lines import Source


@dataclass(frozen=True, slots=True)
class Wanted:
    """The lines to be found; a kept line is context, the others are to be removed."""

    lines: tuple[str, ...]
    kept: tuple[bool, ...]

    @classmethod
    def old(cls, ops: tuple[Op, ...]) -> Wanted:
        """The side of an edit that should be in the file now."""
        side = [op for op in ops if op[0] != "+"]
        return cls(tuple([text for _, text in side]), tuple([kind == " " for kind, _ in side]))

    @classmethod
    def new(cls, ops: tuple[Op, ...]) -> Wanted:
        """The side of an edit that would be in the file if it had been applied before."""
        lines = tuple(text for kind, text in ops if kind != "-")
        return cls(lines, (True,) * len(lines))


Rule: TypeAlias = Callable[[Source, Wanted], list[Place]]
