"""Which types and scopes there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Literal

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

TYPES = ("build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test")
_SCOPES = re.compile(r"[/\\,] ?")


def _find(part: Literal["type", "scope"], message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    text = message.part(part)
    if not text or not applied.texts:
        return
    pieces = [text] if part == "type" or text in applied.texts else _SCOPES.split(text)
    wrong = [piece for piece in pieces if (piece in applied.texts) == applied.never]
    if wrong:
        allowed = f"{'none' if applied.never else 'one'} of {', '.join(applied.texts)}"
        yield Violation(f"The {part} {', '.join(wrong)!r} must be {allowed}.", 1)


RULES = (
    Rule("type-enum", "type", "texts", "The types there are.", partial(_find, "type"), TYPES),
    Rule("scope-enum", "scope", "texts", "The scopes there are; several may be named.", partial(_find, "scope")),
)
