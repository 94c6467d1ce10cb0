"""What a rule is: a name, the section it is about, the value it takes, and a function that finds violations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.commits.messages.parse_message import CommitMessage
from inlay.errors import BadSetting
from inlay.model.commit import Section, Severity

Option: TypeAlias = int | str | tuple[str, ...] | None
#: "none": the rule takes no value; "count": a number; "text": one string; "texts": several; "pattern": an expression.
Takes: TypeAlias = Literal["none", "count", "text", "texts", "pattern"]


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule as a configuration asks for it."""

    rule: str
    severity: Severity
    value: Option = None
    never: bool = False  #: the opposite of what the rule describes is required

    @property
    def count(self) -> int:
        assert isinstance(self.value, int)
        return self.value

    @property
    def text(self) -> str:
        assert isinstance(self.value, str)
        return self.value

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.value,) if isinstance(self.value, str) else self.value if isinstance(self.value, tuple) else ()


@dataclass(frozen=True, slots=True)
class Violation:
    explanation: str  #: a sentence: what is wrong, and what would be right
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `find` yields what breaks it, and nothing where it does not apply."""

    name: str
    section: Section
    takes: Takes
    summary: str  #: one line for the documentation
    find: Callable[[CommitMessage, Applied], Iterator[Violation]]
    default: Option = None  #: the value where a configuration switches the rule on without one


def as_option(rule: Rule, value: object) -> Option:
    """A value as the rule takes it; raises BadSetting where it is of another type."""
    if rule.takes == "count" and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if rule.takes in ("text", "texts") and isinstance(value, str):
        return value if rule.takes == "text" else (value,)
    if rule.takes == "pattern" and isinstance(value, str):
        try:
            re.compile(value)
        except re.error as error:
            raise BadSetting(f"commits.rules.{rule.name}: {value!r} is not a regular expression: {error}") from None
        return value

    if rule.takes == "texts" and isinstance(value, Sequence) and all(isinstance(text, str) for text in value):
        return tuple(value)
    wanted = {"none": "true or false", "count": "a number", "text": "a text", "texts": "texts"}
    raise BadSetting(f"commits.rules.{rule.name} takes {wanted.get(rule.takes, 'an expression')}, not {value!r}")
