"""The rules, one file per family; a new family is a new file and its name here."""

from collections.abc import Mapping

from inlay.commits.messages.rule import Rule
from inlay.commits.messages.rules import (
    blank_lines,
    breaking,
    casing,
    encoding,
    endings,
    enums,
    lengths,
    mood,
    patterns,
    presence,
    trailers,
    whitespace,
    words,
)

_FAMILIES = (
    presence,
    lengths,
    casing,
    endings,
    enums,
    blank_lines,
    whitespace,
    breaking,
    mood,
    words,
    patterns,
    trailers,
    encoding,
)

RULES: tuple[Rule, ...] = tuple(rule for family in _FAMILIES for rule in family.RULES)
BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}
