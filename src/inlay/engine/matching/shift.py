"""How the indentation of an edit relates to that of the place it fits, and what that means for its new lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from inlay.text.lines import indent_of, is_blank

Indents: TypeAlias = tuple[tuple[str, str], ...]
_FEW = 16  # different pairs of indentation that are worth remembering


@dataclass(frozen=True, slots=True)
class Shift:
    """One way to turn the edit's indentation into the file's: cut a prefix, add one, or count in other units."""

    cut: str = ""
    add: str = ""
    unit: Unit | None = None

    @property
    def is_none(self) -> bool:
        return not (self.cut or self.add or self.unit)

    def apply(self, line: str) -> str | None:
        """The line as the file would indent it, or None where the edit does not say."""
        if is_blank(line):
            return line
        indent = indent_of(line)
        if self.unit:
            indent_new = self.unit.convert(indent)
            return None if indent_new is None else indent_new + line[len(indent) :]
        if not line.startswith(self.cut):
            return None
        return self.add + line[len(self.cut) :]

    def __str__(self) -> str:
        if self.unit:
            return "indentation unit"
        blanks = self.cut or self.add
        kind = "tab" if "\t" in blanks else "space"
        amount = f"{len(blanks)} {kind}{'s' if len(blanks) > 1 else ''}"
        return f"indentation {'less' if self.cut else 'more'} by {amount}"


@dataclass(frozen=True, slots=True)
class Unit:
    """A depth counted by `old` in the edit and by `new` in the file; what is left over is alignment and stays."""

    old: str
    new: str
    deeper: int = 0  #: levels that the file is deeper than the edit

    def convert(self, indent: str) -> str | None:
        depth = 0
        while indent.startswith(self.old):
            indent, depth = indent[len(self.old) :], depth + 1
        if depth + self.deeper < 0 or (indent and "\t" in self.old + self.new and "\t" in indent):
            return None
        return self.new * (depth + self.deeper) + indent


def shift_of(pairs: Iterable[tuple[str, str]], unit: int = 0) -> Shift | None:
    """The one shift that explains all pairs of (edit's line, file's line), or None."""
    # What explains a pair explains its repetitions, so each counts once.
    indents = tuple(dict.fromkeys((indent_of(want), indent_of(have)) for want, have in pairs if not is_blank(want)))
    return _explained(indents, unit) if len(indents) <= _FEW else _explained.__wrapped__(indents, unit)


@lru_cache(maxsize=1024)
def _explained(indents: Indents, unit: int) -> Shift | None:
    prefix = _prefix(indents)
    if prefix is not None and (not unit or "\t" in prefix.cut + prefix.add or len(prefix.cut + prefix.add) % unit == 0):
        return prefix
    # A shift by half a level is more likely a change of unit, where one explains it.
    return _unit(indents) or prefix


def _prefix(indents: Indents) -> Shift | None:
    want, have = next(iter(indents), ("", ""))
    if have.endswith(want):
        shift = Shift(add=have[: len(have) - len(want)])
    elif want.endswith(have):
        shift = Shift(cut=want[: len(want) - len(have)])
    else:
        return None
    size = len(shift.cut)
    explains = all(want.startswith(shift.cut) and shift.add + want[size:] == have for want, have in indents)
    return shift if explains else None


def _unit(indents: Indents) -> Shift | None:
    candidates = (
        Unit(old, new, deeper)
        for deeper in (0, 1, -1, 2, -2, 3, -3)
        for old, new in (*_TABS_TO_SPACES, *_SPACES_TO_TABS, *_SPACES_TO_SPACES)
        if deeper == 0 or "\t" in old + new
    )
    fitting = next((unit for unit in candidates if all(unit.convert(want) == have for want, have in indents)), None)
    return Shift(unit=fitting) if fitting else None


_TABS_TO_SPACES = tuple(("\t", " " * n) for n in (4, 2, 8, 3, 1))
_SPACES_TO_TABS = tuple((" " * n, "\t") for n in (4, 2, 8, 3, 1))
_SPACES_TO_SPACES = (("  ", "    "), ("    ", "  "), ("    ", " " * 8), (" " * 8, "    "), ("  ", "   "), ("   ", "  "))


def consistent(pairs: list[tuple[str, str]]) -> bool:
    """Whether the indentation differs by one rule throughout."""
    return shift_of(pairs) is not None or first_line_lost(pairs)


def first_line_lost(pairs: list[tuple[str, str]]) -> bool:
    """Whether only the first line has less indentation than the file, as when a model starts in mid-line."""
    solid = [pair for pair in pairs if not is_blank(pair[0])]
    if len(solid) < 2 or shift_of(solid[1:]) is None:
        return False
    want, have = (indent_of(line) for line in solid[0])
    return len(want) < len(have) and have.endswith(want)
