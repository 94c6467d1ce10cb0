"""Trailers: the ones that must be there, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

# Keys whose value is a person.
_PERSONAL = re.compile(r"(?i)[a-z-]+-by$")
_PERSON = re.compile(r"[^<>]*\S[^<>]*<[^<>\s]+>(?: *[#(\[].*)?$")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
_LOOSE = re.compile(r"(?i)(?P<key>signed[- ]?off[- ]?by|co[- ]?author(?:ed)?[- ]?by)\s*:?\s+(?=.*@)")
_SPELT = {"s": "Signed-off-by", "c": "Co-authored-by"}


def _wanted(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    key = applied.text.rstrip(": ").lower()
    is_there = any(trailer.key.lower() == key for trailer in message.trailers)
    if is_there == applied.never:
        yield Violation(f"There must be {'no' if applied.never else 'a'} `{applied.text.rstrip(': ')}:` trailer.")


def _well_formed(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for trailer in message.trailers:
        if _PERSONAL.match(trailer.key) and _ADDRESS.search(trailer.value) and not _PERSON.match(trailer.value):
            yield Violation(f"`{trailer.key}:` must name a person as `Name <address>`.", trailer.line)
    for number, line in enumerate(message.lines[1:], 2):
        if _LOOSE.match(line) and not line.lower().startswith(f"{_SPELT[line[0].lower()].lower()}: "):
            yield Violation(f"Line {number} means `{_SPELT[line[0].lower()]}: Name <address>`, which tools read only in that form.", number)  # fmt: skip  # noqa: E501


RULES = (
    Rule("signed-off-by", "footer", "text", "There is a `Signed-off-by:` trailer.", _wanted, "Signed-off-by"),
    Rule("trailer-exists", "footer", "text", "There is a trailer of that name.", _wanted),
    Rule(
        "trailer-form", "footer", "none", "Trailers that name people are written so that tools find them.", _well_formed
    ),
)
