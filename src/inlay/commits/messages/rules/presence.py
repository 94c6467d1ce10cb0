"""Which parts must be there, and which must not: header, type, scope, subject, body, footer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body", "footer")


def _find(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    # Without a type there is a header, but no subject in the sense of Conventional Commits.
    is_absent = part == "subject" and not message.is_conventional
    is_empty = is_absent or not message.part(part).strip()
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


RULES = tuple(
    Rule(f"{part}-empty", part, "none", f"The {part} is empty, or with `never` it must not be.", partial(_find, part))
    for part in _PARTS
)
