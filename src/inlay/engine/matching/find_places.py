"""Wanted lines and a file's text -> the places where they stand, by the strictest rule that finds any."""

from __future__ import annotations

from inlay.engine.matching.lookalikes import alike
from inlay.engine.matching.rules import blank_lines, exact, indentation, near, tokens, trailing
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.model.match import Place
from inlay.text.lines import Source

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


def find(source: Source, wanted: Wanted, rules: tuple[Rule, ...] = STRICT) -> list[Place]:
    """All places by the first rule that has any; a looser rule never overrides a stricter one."""
    for rule in rules:
        if places := rule(source, wanted):
            return places
    return []
