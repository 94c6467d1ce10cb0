"""What speaks for a place besides the lines of the edit: its line number, its section, and the other edits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from inlay.engine.matching.nearest import resembling
from inlay.engine.matching.probe import exact_offsets, line_numbers
from inlay.engine.matching.wanted import Wanted
from inlay.engine.staging.located import Fit, LocatedOps, contradicted, script, several
from inlay.errors import Misfit
from inlay.model.edit import Edit, Op
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, indent_of, is_blank

_TELLING = 4  # letters and digits that a block must have to say anything about the other blocks
_MOST_HEADINGS = 50
_CUT_HEADING = 70  # letters from which git may have cut a heading off
_OPENING_WORDS = frozenset("class def fn func function impl".split())
_FAINTLY_ALIKE = 0.5  # share of letters from which lines of the section named could be meant
_FIRST_WORD = re.compile(r"\w+|\W")


@dataclass(frozen=True, slots=True)
class _Anchor:
    """An edit that its own lines place: the line that the reply claims, and how far off that is."""

    line: int
    offset: int


class Evidence:
    """All that a file and the edits for it say about one another."""

    def __init__(self, source: Source, edits: Sequence[Edit] = (), is_base: bool | None = None) -> None:
        self._source, self._edits = source, edits
        self._is_base = is_base  # whether the file is the very text that the edits were made from; None where unknown

    @property
    def is_base(self) -> bool:
        """Whether it is proven that the edits were made from the very text of the file."""
        return self._is_base is True

    @cached_property
    def _anchors(self) -> list[_Anchor] | None:
        """In file order; None where claims and places are not in the same order, so that the numbers mean nothing."""
        anchors = []
        for edit in self._edits:
            lines = Wanted.old(script(edit.variants[0])).lines
            if edit.line is None or sum(map(str.isalnum, "".join(lines))) < _TELLING:
                continue
            if len(offsets := exact_offsets(self._source, lines)) == 1:
                anchors.append(_Anchor(edit.line, self._source.line_at(offsets[0]) + 1 - edit.line))
        anchors.sort(key=lambda anchor: anchor.line)
        ordered = all(a.line < b.line and a.line + a.offset < b.line + b.offset for a, b in pairwise(anchors))
        return anchors if ordered else None

    def _neighbours(self, line: int) -> tuple[int | None, int | None] | None:
        """The offsets of the nearest anchors above and below a claimed line."""
        if (anchors := self._anchors) is None:
            return None
        at = bisect_left(anchors, line, key=lambda anchor: anchor.line)
        below = at + (at < len(anchors) and anchors[at].line == line)
        return (
            anchors[at - 1].offset if at else None,
            anchors[below].offset if below < len(anchors) else None,
        )

    def line_of(self, edit: Edit) -> int | None:
        """The 1-based line that the reply's number means in the file; None where other evidence does not support it."""
        if edit.line is None or self._is_base:
            return edit.line
        if (offsets := self._neighbours(edit.line)) is None:
            return None
        if None not in offsets:
            above, below = offsets
            return edit.line + (above or 0) if above == below else None
        if self._is_base is False:
            return None
        return edit.line if not any(offsets) else None

    def insertion_line(self, edit: Edit) -> int | None:
        """The number of lines above an addition that has nothing but its number to say where it belongs.

        A number alone is weak: the text must be the one that the diff was made from, or as many lines long as the
        number says, or other edits must show that no lines have come or gone above this one.
        """
        if edit.line is None or self._is_base:
            return edit.line
        if edit.line == self._source.count and self._is_base is None and self._anchors is not None:
            return edit.line
        offsets = self._neighbours(edit.line)
        if offsets is None or offsets[1] is None or (offsets[0] or 0) != offsets[1]:
            return None
        return None if offsets[0] is None and self._is_base is False else edit.line + offsets[1]

    def headings(self, edit: Edit) -> list[int]:
        """The lines that the edit's section may mean; none where it names none, or nothing in the file."""
        if not edit.sections:
            return []
        scopes = [(0, self._source.count)]
        for name in edit.sections:
            scopes = [scope for first, end in scopes for scope in self._named(name, first, end)][:_MOST_HEADINGS]
        return [first for first, _ in scopes]

    def _named(self, name: str, first: int, end: int) -> list[tuple[int, int]]:
        core = name.strip(BLANKS)
        lines = self._source.lines
        if len(core) >= _CUT_HEADING:
            self._source.work.spend(lines=end - first)
            hits = [n for n in range(first, end) if lines[n].strip(BLANKS).startswith(core)]
        else:
            hits = [n for n in line_numbers(self._source, core, len(lines)) if first <= n < end] if core else []
        return [(n, self._end_of_scope(n, end)) for n in hits[:_MOST_HEADINGS]]

    def _end_of_scope(self, first: int, end: int) -> int:
        found = end_of_scope(self._source.lines, first, end)
        self._source.work.spend(lines=found - first)
        return found

    def is_below(self, heading: int, place: Place) -> bool:
        """Whether a place belongs to what a heading opens, as far as the lines between them tell."""
        if place.first <= heading:
            return place.end > heading
        lines = self._source.lines
        self._source.work.spend(lines=place.first - heading)
        return not any(_ends_section(lines[heading], lines[n]) for n in range(heading + 1, place.first))

    def choose(self, edit: Edit, lines: tuple[str, ...], places: list[Place]) -> tuple[Place, str] | Misfit:
        """The one place that all evidence leaves, and the hint that picked it; or why there is none."""
        # `}` and `end` are everywhere.
        telling = edit.sections and sum(map(str.isalnum, edit.sections[-1])) >= _TELLING
        headings = self.headings(edit) if telling else []
        inside = [place for place in places if any(self.is_below(at, place) for at in headings)] if headings else places
        claimed = [place for place in places if place.first + 1 == edit.line]
        if not inside and not (len(places) == 1 and claimed):
            return contradicted(edit, lines, places[0], edit.sections[-1], headings[0])
        if len(places) == 1:
            if headings and not claimed and self._is_like_inside(lines, places[0], headings):
                return contradicted(edit, lines, places[0], edit.sections[-1], headings[0])
            return places[0], ""
        if headings and claimed and not any(place in inside for place in claimed):
            return contradicted(edit, lines, claimed[0], edit.sections[-1], headings[0])
        if len(inside) == 1:
            return inside[0], f"section {edit.sections[-1].strip()!r} picked one of {len(places)} places"
        line = self.line_of(edit)
        named = [place for place in inside if place.first + 1 == line]
        if len(named) == 1:
            return named[0], f"line {line} picked one of {len(places)} places"
        last = [place for place in inside if edit.at_end and place.end == self._source.count]
        if len(last) == 1:
            return last[0], "the end of the file picked the place"
        return several(edit, lines, places)

    def _is_like_inside(self, lines: tuple[str, ...], place: Place, headings: list[int]) -> bool:
        """Whether the place is outside of the section, and the section has lines that the block could mean."""
        count = self._source.count
        scopes = [(first, end_of_scope(self._source.lines, first, count)) for first in headings]
        if any(first < place.end and place.first < end for first, end in scopes):
            return False
        outside = [[(0, first), (end, count)] for first, end in scopes]
        return any(resembling(self._source, lines, but, _FAINTLY_ALIKE) is not None for but in outside)

    def addition(self, edit: Edit, ops: tuple[Op, ...]) -> Fit | None:
        """An edit that only adds lines, at the place that its number or its section names; None where neither does."""
        headings = self.headings(edit)
        if edit.line is not None:
            at, rule = self.insertion_line(edit), "line number"
            if at is None or at > self._source.count:
                return None
            place = Place(((at, at),), rule)
            if headings and not self._is_base and not any(self.is_below(n, place) for n in headings):
                return None
        elif len(headings) == 1:
            place = Place(((headings[0] + 1, headings[0] + 1),), "section")
        elif edit.at_end and not edit.sections:
            place = Place(((self._source.count, self._source.count),), "end of file")
        else:
            return None
        # A removal of no lines gives the insertion a place.
        return Fit(edit, (LocatedOps((("-", ""), *ops), place),))


def out_of_order(fits: Sequence[Fit]) -> Misfit | None:
    """A contradiction where one edit is at the very line it claims and another is on the wrong side of it."""
    claims = sorted(
        ((fit.edit.line, fit.extent[0] + 1, fit) for fit in fits if fit.edit.line is not None and not fit.done),
        key=lambda claim: claim[:2],
    )
    firm = [(line, place) for line, place, _ in claims if line == place]
    for line, place, fit in claims:
        if any((line - other) * (place - at) < 0 for other, at in _around(firm, line)):
            message = f"the block fits line {place} only, but its number, {line}, is on the other side of an edit"
            advice = "Quote more lines around the change, exactly as they are in the file."
            return Misfit("contradiction", message, advice, edit=fit.edit.number, candidates=(place, line))
    return None


def _around(firm: list[tuple[int, int]], line: int) -> list[tuple[int, int]]:
    at = bisect_left(firm, (line, 0))
    return firm[max(0, at - 1) : at + 2]


def end_of_scope(lines: Sequence[str], first: int, end: int) -> int:
    """The line after the last one that a heading opens, by indentation."""
    depth = len(indent_of(lines[first]))
    for n in range(first + 1, end):
        line = lines[n]
        if not is_blank(line) and len(indent_of(line)) <= depth and line.strip()[0] not in "})]{(":
            return n
    return end


def _ends_section(heading: str, line: str) -> bool:
    """Whether a line opens something else beside or around what a heading opens."""
    if is_blank(line):
        return False
    depth, own = len(indent_of(heading)), len(indent_of(line))
    core, head = line.strip(BLANKS), heading.strip(BLANKS)
    if own > depth or core[0] in "})]{(":
        return False
    first, head_first = (m.group() if (m := _FIRST_WORD.match(text)) else "" for text in (core, head))
    return first == head_first if own == depth else first in _OPENING_WORDS
