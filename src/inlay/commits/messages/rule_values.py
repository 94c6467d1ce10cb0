"""The value of a rule as a configuration writes it, converted to the type that the rule takes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inlay.commits.messages.rule import Option, Rule
from inlay.errors import BadSetting


def as_option(rule: Rule, value: object) -> Option:
    """A value as the rule takes it; raises BadSetting where it is of another type."""
    if rule.takes == "count" and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if rule.takes in ("text", "texts", "pattern") and isinstance(value, str):
        return _expression(rule, value) if rule.takes == "pattern" else (value,) if rule.takes == "texts" else value
    if rule.takes == "texts" and isinstance(value, Sequence) and all(isinstance(text, str) for text in value):
        return tuple(value)
    wanted = {"none": "true or false", "count": "a number", "text": "a text", "texts": "texts"}
    raise BadSetting(f"commits.rules.{rule.name} takes {wanted.get(rule.takes, 'an expression')}, not {value!r}")


def _expression(rule: Rule, value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise BadSetting(f"commits.rules.{rule.name}: {value!r} is not a regular expression: {error}") from None
    return value
