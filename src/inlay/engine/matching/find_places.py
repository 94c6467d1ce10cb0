"""Wanted lines and a file's text -> the places where they may be, none of which is clearly worse than another."""

from __future__ import annotations

from inlay.engine.matching.lookalikes import alike
from inlay.engine.matching.rules import blank_lines, exact, indentation, near, tokens, trailing
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, fold, indent_of

#: Rules that keep every word: strictest first.
STRICT: tuple[Rule, ...] = (
    exact.find,
    trailing.find,
    alike(trailing.find),
    indentation.find,
    alike(indentation.find, indentation.NAME),
    blank_lines.find,
    alike(blank_lines.find, blank_lines.NAME),
)
#: Rules that forgive more, tried only when nothing else explains the block.
LOOSE: tuple[Rule, ...] = (*STRICT, tokens.find, near.find)
#: Rules whose only place needs no comparison: blanks at line ends mean nothing.
_PLAIN = (exact.find, trailing.find)


def find(source: Source, wanted: Wanted, rules: tuple[Rule, ...] = STRICT) -> list[Place]:
    """All places by the first rule that has any, and those of later rules that differ from the block in another way.

    Slips of two kinds cannot be weighed: a block that has a blank line too many for one place and the wrong
    indentation for another may mean either.
    """
    if (wanted, rules) not in source.found:
        source.found[wanted, rules] = _find(source, wanted, rules)
    return source.found[wanted, rules]


def _find(source: Source, wanted: Wanted, rules: tuple[Rule, ...]) -> list[Place]:
    for rule in rules:
        if places := rule(source, wanted):
            return places if rule in _PLAIN else places + _rivals(source, wanted, places)
    return []


def _rivals(source: Source, wanted: Wanted, places: list[Place]) -> list[Place]:
    """Other places that the block differs from by none of the slips that all the given places share."""
    source.work.spend(lines=len(places) * len(wanted.lines))
    slips = {slips_of(source, wanted, place) for place in places}
    taken = {line for place in places for line in range(place.first, place.end)}
    rivals: list[Place] = []
    for rule in (*STRICT[2:], tokens.find, near.misquotes):
        for place in rule(source, wanted):
            lines = range(place.first, place.end)
            if not taken.isdisjoint(lines):
                continue
            own = slips_of(source, wanted, place)
            if not any(other <= own for other in slips):
                rivals.append(place)
                taken.update(lines)
    return sorted(rivals, key=lambda place: place.first)


def slips_of(source: Source, wanted: Wanted, place: Place) -> frozenset[str]:
    """In which ways the block differs from the file at a place."""
    slips = set()
    at = place.first
    for want, span in zip(wanted.lines, place.spans, strict=True):
        if span is None:
            slips.add("blank lines" if not want.strip(BLANKS) else "line breaks")
            continue
        if span[0] != at:
            slips.add("blank lines")
        at = span[1]
        if span[1] - span[0] > 1:
            slips.add("line breaks")
        else:
            slips |= _slips_of_line(want, source.line(span[0]))
    return frozenset(slips)


def _slips_of_line(want: str, have: str) -> set[str]:
    if want.rstrip(BLANKS) == have.rstrip(BLANKS):
        return set()
    slips = set()
    plain_want, plain_have = fold(want), fold(have)
    if indent_of(plain_want) != indent_of(plain_have):
        slips.add("indentation")
    want, have, plain_want, plain_have = (t.strip(BLANKS) for t in (want, have, plain_want, plain_have))
    if want != have:
        slips.add("look-alikes" if plain_want == plain_have else "words")
        if "".join(plain_want.split()) == "".join(plain_have.split()) and plain_want != plain_have:
            slips = slips - {"words"} | {"inner blanks"}
    return slips
