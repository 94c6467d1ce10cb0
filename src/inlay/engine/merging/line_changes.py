"""Writes new lines between a text's own: untouched lines stay byte for byte, new ones take their neighbours' ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.text.lines import Source

Line: TypeAlias = tuple[str, str]  # text and ending


@dataclass(frozen=True, slots=True)
class LineChange:
    """Lines `first` up to `end` (0-based, exclusive; equal to insert) give way to `new`."""

    first: int
    end: int
    new: tuple[str, ...]


def split(text: str) -> list[str]:
    """All lines without their endings, whatever those are; a final newline begins no further line."""
    return Source(text).lines


def written(text: str, changes: Iterable[LineChange]) -> str:
    """The text with all changes made; a final newline that was absent stays absent."""
    source = Source(text)
    own = source.own_lines(0, source.count)
    out: list[Line] = []
    at = 0
    for change in sorted(changes, key=lambda change: (change.first, change.end)):
        out += own[at : change.first]
        ending = _ending(own, change.first)
        out += [(line, ending) for line in change.new]
        at = change.end
    out += own[at:]
    ending = _ending(own, len(own))
    lines = [line + (its or ending) for line, its in out]
    if lines and own and not own[-1][1]:
        lines[-1] = out[-1][0]
    return "".join(lines)


def _ending(lines: list[Line], at: int) -> str:
    """The ending of the line above, else of the line itself, else a plain newline."""
    for n in (at - 1, at, at - 2):
        if 0 <= n < len(lines) and lines[n][1]:
            return lines[n][1]
    return "\n"


def endings(text: str) -> Counter[str]:
    source = Source(text)
    if source.is_plain:
        return Counter({"\n": text.count("\n")}) if "\n" in text else Counter()
    return Counter(ending for _, ending in source.own_lines(0, source.count) if ending)
