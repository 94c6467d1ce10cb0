"""How long a part, or a line of it, may be or must be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_URL = re.compile(r"\w+://\S")
_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body", "footer")


def _max(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    length = len(message.part(part))
    if length > applied.count:
        text = f"The {part} has {length} characters, {applied.count} are allowed."
        yield Violation(text, message.numbered(part)[0][0])


def _min(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    length = len(message.part(part))
    if 0 < length < applied.count:
        text = f"The {part} has {length} characters, at least {applied.count} are required."
        yield Violation(text, message.numbered(part)[0][0])


def _max_line(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in message.numbered(part):
        # An address or one long word has no better place to end the line; a trailer is one line by nature.
        is_unbreakable = _URL.search(line) or len(line.strip().split(" ", 1)[0]) > applied.count
        if len(line) > applied.count and not is_unbreakable:
            yield Violation(f"Line {number} has {len(line)} characters, {applied.count} are allowed.", number)


RULES = (
    *(Rule(f"{part}-max-length", part, "count", f"Most characters of the {part}.", partial(_max, part), 100)
      for part in _PARTS),
    *(Rule(f"{part}-min-length", part, "count", f"Fewest characters of the {part}, where there is one.",
           partial(_min, part)) for part in _PARTS),
    *(Rule(f"{part}-max-line-length", part, "count",
           f"Most characters in a line of the {part}; addresses may be longer.", partial(_max_line, part), 100)
      for part in ("body", "footer")),
)  # fmt: skip
