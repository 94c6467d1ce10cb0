"""Which parts a message must have or not have, how long they and their lines may be, and how they end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_URL = re.compile(r"\w+://\S")
_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body", "footer")
_STOPPED: tuple[Part, ...] = ("header", "subject", "body")


def _empty(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    # Without a type there is a header, but no subject in the sense of Conventional Commits.
    is_empty = (part == "subject" and not message.is_conventional) or not message.part(part).strip()
    if applied.never and is_empty:
        yield Violation(_missing(message, part), 1 if part != "body" else 0)
    elif not applied.never and not is_empty:
        yield Violation(f"There must be no {part}.", message.numbered(part)[0][0])


def _missing(message: CommitMessage, part: Part) -> str:
    if part not in ("type", "subject") or not message.header:
        return f"The {part} is missing." if part != "header" else "The message is empty."
    head, colon, rest = message.header.partition(":")
    is_type = head.rstrip("!)").replace("(", "").replace("-", "").isalnum()
    hint = " (a blank is missing after the colon)" if colon and is_type and rest[:1].strip() else ""
    return f"The header is not of the form `type(scope): subject`{hint}, so it has no {part}."


def _max(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if (length := len(message.part(part))) > applied.count:
        text = f"The {part} has {length} characters, {applied.count} are allowed."
        yield Violation(text, message.numbered(part)[0][0])


def _min(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if 0 < (length := len(message.part(part))) < applied.count:
        text = f"The {part} has {length} characters, at least {applied.count} are required."
        yield Violation(text, message.numbered(part)[0][0])


def _max_line(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in message.numbered(part):
        # An address or one long word has no better place to end the line; a trailer is one line by nature.
        is_unbreakable = _URL.search(line) or len(line.strip().split(" ", 1)[0]) > applied.count
        if len(line) > applied.count and not is_unbreakable:
            yield Violation(f"Line {number} has {len(line)} characters, {applied.count} are allowed.", number)


def _full_stop(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    text = message.part(part).rstrip()
    stops = "".join(applied.texts) or "."
    # Three dots mean that something goes on; they do not end a sentence.
    has_stop = bool(text) and text[-1] in stops and not text.endswith("...")
    if text and has_stop == applied.never:
        rule = f"not end with {text[-1]!r}" if applied.never else f"end with one of {stops!r}"
        yield Violation(f"The {part} must {rule}.", message.numbered(part)[-1][0])


RULES = (
    *(Rule(f"{part}-empty", part, "none", f"The {part} is empty, or with `never` it must not be.",
           partial(_empty, part)) for part in _PARTS),
    *(Rule(f"{part}-max-length", part, "count", f"Most characters of the {part}.", partial(_max, part), 100)
      for part in _PARTS),
    *(Rule(f"{part}-min-length", part, "count", f"Fewest characters of the {part}, where there is one.",
           partial(_min, part)) for part in _PARTS),
    *(Rule(f"{part}-max-line-length", part, "count",
           f"Most characters in a line of the {part}; addresses may be longer.", partial(_max_line, part), 100)
      for part in ("body", "footer")),
    *(Rule(f"{part}-full-stop", part, "text",
           f"The {part} ends with one of these characters, or with `never` does not.", partial(_full_stop, part), ".")
      for part in _STOPPED),
)  # fmt: skip
