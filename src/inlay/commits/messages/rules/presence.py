"""What must be there, and what must not: header, type, scope, subject, body, footer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_HINT = "The header is not of the form `type(scope): subject`"


def _finder(part: Part) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        is_empty = not _present(message, part)
        if applied.never and is_empty:
            yield Violation(_missing(message, part), 1 if part != "body" else 0)
        elif not applied.never and not is_empty:
            yield Violation(f"There must be no {part}.", message.numbered(part)[0][0])

    return find


def _present(message: CommitMessage, part: Part) -> str:
    # Without a type there is a header, but no subject of the kind that is meant.
    return "" if part == "subject" and not message.is_conventional else message.part(part).strip()


def _missing(message: CommitMessage, part: Part) -> str:
    if part in ("type", "subject") and message.header:
        return f"{_HINT}{_slip(message.header)}, so it has no {part}."
    return f"The {part} is missing." if part != "header" else "The message is empty."


def _slip(header: str) -> str:
    """The usual slip, where it is one."""
    head, colon, rest = header.partition(":")
    is_type = head.rstrip("!)").replace("(", "").replace("-", "").isalnum()
    return " (a blank is missing after the colon)" if colon and is_type and rest[:1].strip() else ""


_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body", "footer")

RULES = tuple(
    Rule(f"{part}-empty", part, "none", f"The {part} is empty, or with `never` it must not be.", _finder(part))
    for part in _PARTS
)
