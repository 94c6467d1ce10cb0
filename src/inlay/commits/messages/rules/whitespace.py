"""Blanks and tabs where they do not belong."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation


def _around_header(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if message.header != message.header.strip():
        yield Violation("The header must not begin or end with blanks.", 1)


def _tab_in_header(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if "\t" in message.header:
        yield Violation("The header must not contain a tab.", 1)


def _tab_in_body(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines[1:], 2):
        if "\t" in line:
            yield Violation(f"Line {number} contains a tab.", number)


def _after_body_lines(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines[1:], 2):
        if line != line.rstrip():
            yield Violation(f"Line {number} ends with blanks.", number)


RULES = (
    Rule("header-trim", "header", "none", "No blanks around the header.", _around_header),
    Rule("header-tab", "header", "none", "No tab in the header.", _tab_in_header),
    Rule("body-tab", "body", "none", "No tab below the header.", _tab_in_body),
    Rule("body-trailing-blank", "body", "none", "No blanks at the end of a line.", _after_body_lines),
)
