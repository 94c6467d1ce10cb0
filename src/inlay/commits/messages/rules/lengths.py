"""How long a part, or a line of it, may be or must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_URL = re.compile(r"\w+://\S")
_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body", "footer")


def _longest(part: Part) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        length = len(message.part(part))
        if length > applied.count:
            line = message.numbered(part)[0][0]
            yield Violation(f"The {part} has {length} characters, {applied.count} are allowed.", line)

    return find


def _shortest(part: Part) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        text = message.part(part)
        if text and len(text) < applied.count:
            line = message.numbered(part)[0][0]
            yield Violation(f"The {part} has {len(text)} characters, at least {applied.count} are wanted.", line)

    return find


def _longest_line(part: Part) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        for number, line in message.numbered(part):
            if len(line) > applied.count and not _cannot_be_broken(line, applied.count):
                yield Violation(f"Line {number} has {len(line)} characters, {applied.count} are allowed.", number)

    return find


def _cannot_be_broken(line: str, limit: int) -> bool:
    """An address, or one word alone: there is no better place to end the line; a trailer is one line by nature."""
    return bool(_URL.search(line)) or len(line.strip().split(" ", 1)[0]) > limit


_MAX = tuple(
    Rule(f"{part}-max-length", part, "count", f"Most characters of the {part}.", _longest(part), 100) for part in _PARTS
)
_MIN = tuple(
    Rule(f"{part}-min-length", part, "count", f"Fewest characters of the {part}, where there is one.", _shortest(part))
    for part in _PARTS
)
_LINES = tuple(
    Rule(f"{part}-max-line-length", part, "count", f"Most characters in a line of the {part}; addresses may be longer.",
         _longest_line(part), 100)
    for part in ("body", "footer")
)  # fmt: skip
RULES = (*_MAX, *_MIN, *_LINES)
