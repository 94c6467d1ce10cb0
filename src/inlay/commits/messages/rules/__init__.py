"""The rules, one file per family; a new family is a new file and its name here."""

from collections.abc import Mapping

from inlay.commits.messages.rule import Rule
from inlay.commits.messages.rules import casing, characters, mood, parts, patterns, trailers, words

_FAMILIES = (parts, casing, patterns, characters, trailers, mood, words)
RULES: tuple[Rule, ...] = tuple(rule for family in _FAMILIES for rule in family.RULES)
BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}
