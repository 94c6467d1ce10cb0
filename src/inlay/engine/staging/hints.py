"""Breaks ties between places by what the edit itself says: a line number, a section, the end of the file."""

from __future__ import annotations

from inlay.model.edit import Edit
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, indent_of, is_blank


def pick(source: Source, edit: Edit, places: list[Place]) -> tuple[Place, str] | None:
    """The one place that a hint names exactly, and the hint; never merely the nearest."""
    if edit.line is not None:
        named = [place for place in places if place.first + 1 == edit.line]
        if len(named) == 1:
            return named[0], f"line {edit.line} picked one of {len(places)} places"
    if edit.at_end:
        last = [place for place in places if place.end == source.count]
        if len(last) == 1:
            return last[0], "the end of the file picked the place"
    if edit.sections and (within := section(source, edit.sections)) is not None:
        after = [place for place in places if place.end > within[0]]
        # Where indentation says nothing about its extent, a section reaches to the end of the file.
        inside = [place for place in after if place.first < within[1]] or after
        if len(inside) == 1:
            return inside[0], f"section {edit.sections[-1].strip()!r} picked one of {len(places)} places"
    return None


def section(source: Source, names: tuple[str, ...]) -> tuple[int, int] | None:
    """The lines from the one that the innermost name names to the end of what it opens; None unless unique."""
    first, end = 0, source.count
    for name in names:
        core = name.strip(BLANKS)
        found = [n for n in range(first, end) if source.lines[n].strip(BLANKS) == core]
        if len(found) != 1:
            return None
        first = found[0]
        end = _end_of(source.lines, first, end)
    return first, end


def _end_of(lines: list[str], first: int, end: int) -> int:
    depth = len(indent_of(lines[first]))
    for n in range(first + 1, end):
        if not is_blank(lines[n]) and len(indent_of(lines[n])) <= depth and lines[n].strip()[0] not in "})]{(":
            return n
    return end
