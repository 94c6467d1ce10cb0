"""Quotes, dashes, spaces and accents that look alike count as the same; any rule can be made to see them so."""

from __future__ import annotations

from dataclasses import replace

from inlay.engine.matching.wanted import Rule, Wanted
from inlay.model.match import Place
from inlay.text.lines import Source, fold

NAME = "look-alike characters"


def alike(rule: Rule, name: str = "") -> Rule:
    """The same rule with look-alike characters made equal on both sides first; `name` says what else it forgives."""
    full_name = f"{name}, {NAME}" if name else NAME

    def find(source: Source, wanted: Wanted) -> list[Place]:
        # Folding never touches a line break, so all lines go through it at once.
        lines = tuple(fold("\n".join(wanted.lines)).split("\n"))
        if lines == wanted.lines and source.folded() is source:
            return []
        places = rule(source.folded(), replace(wanted, lines=lines))
        return [Place(place.spans, full_name) for place in places]

    return find
