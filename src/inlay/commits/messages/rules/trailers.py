"""Breaking changes in header and footer, and trailers: the ones that must be there, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

_LOOSE_BREAKING = re.compile(r"(?i)breaking[ -]changes?\s*(?::|$)")
_BREAKING = re.compile(r"BREAKING[ -]CHANGE(?:: | #)\S")
# Keys whose value is a person.
_PERSONAL = re.compile(r"(?i)[a-z-]+-by$")
_PERSON = re.compile(r"[^<>]*\S[^<>]*<[^<>\s]+>(?: *[#(\[].*)?$")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
_LOOSE_TRAILER = re.compile(r"(?i)(?P<key>signed[- ]?off[- ]?by|co[- ]?author(?:ed)?[- ]?by)\s*:?\s+(?=.*@)")
_SPELT = {"s": "Signed-off-by", "c": "Co-authored-by"}


def _both(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    in_footer = any(_BREAKING.match(line) for line in message.footer)
    if message.is_conventional and in_footer != message.is_marked:
        where = "the footer, so the header needs `!` before the colon" if in_footer else "the header, not the footer"
        yield Violation(f"A breaking change is marked in {where}.", 1)


def _mark(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if message.is_conventional and message.is_marked == applied.never:
        yield Violation(f"The header must {'not ' if applied.never else ''}have `!` before the colon.", 1)


def _breaking(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines[1:], 2):
        if _LOOSE_BREAKING.match(line) and not _BREAKING.match(line):
            text = f"Line {number} means `BREAKING CHANGE: description`, which tools read only in that form."
            yield Violation(text, number)


def _wanted(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    key = applied.text.rstrip(": ").lower()
    is_there = any(trailer.key.lower() == key for trailer in message.trailers)
    if is_there == applied.never:
        yield Violation(f"There must be {'no' if applied.never else 'a'} `{applied.text.rstrip(': ')}:` trailer.")


def _people(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for trailer in message.trailers:
        if _PERSONAL.match(trailer.key) and _ADDRESS.search(trailer.value) and not _PERSON.match(trailer.value):
            yield Violation(f"`{trailer.key}:` must name a person as `Name <address>`.", trailer.line)
    for number, line in enumerate(message.lines[1:], 2):
        key = _SPELT.get(line[:1].lower(), "")
        if _LOOSE_TRAILER.match(line) and not line.lower().startswith(f"{key.lower()}: "):
            yield Violation(f"Line {number} means `{key}: Name <address>`, which tools read only in that form.", number)


RULES = (
    Rule("breaking-change-exclamation-mark", "header", "none", "A breaking change is in header and footer.", _both),
    Rule("subject-exclamation-mark", "subject", "none", "The header has `!`, or with `never` has none.", _mark),
    Rule("breaking-change-form", "footer", "none", "A breaking change is written so that tools find it.", _breaking),
    Rule("signed-off-by", "footer", "text", "There is a `Signed-off-by:` trailer.", _wanted, "Signed-off-by"),
    Rule("trailer-exists", "footer", "text", "There is a trailer of that name.", _wanted),
    Rule("trailer-form", "footer", "none", "Trailers that name people are written so that tools find them.", _people),
)
