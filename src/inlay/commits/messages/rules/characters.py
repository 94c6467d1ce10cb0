"""Blanks, tabs and blank lines where they belong or do not, and characters that are not text."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation


def _before_body(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if len(message.lines) > 1 and (not message.lines[1].strip()) == applied.never:
        yield Violation(f"There must be {'no' if applied.never else 'a'} blank line after the header.", 2)


def _before_footer(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    is_between = bool(message.footer and message.body)
    if is_between and (not message.lines[message.footer_line - 2].strip()) == applied.never:
        text = f"There must be {'no' if applied.never else 'a'} blank line before the footer."
        yield Violation(text, message.footer_line)


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


def _decodable(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines, 1):
        if any("\udc80" <= character <= "\udcff" for character in line):
            yield Violation(f"Line {number} has bytes that are not text in the encoding the commit declares.", number)
            return


def _printable(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines, 1):
        if any((character < " " and character != "\t") or character == "\x7f" for character in line.rstrip("\r")):
            yield Violation(f"Line {number} has control characters.", number)
            return


RULES = (
    Rule("body-leading-blank", "body", "none", "There is a blank line between header and body.", _before_body),
    Rule("footer-leading-blank", "footer", "none", "There is a blank line before the footer.", _before_footer),
    Rule("header-trim", "header", "none", "No blanks around the header.", _around_header),
    Rule("header-tab", "header", "none", "No tab in the header.", _tab_in_header),
    Rule("body-tab", "body", "none", "No tab below the header.", _tab_in_body),
    Rule("body-trailing-blank", "body", "none", "No blanks at the end of a line.", _after_body_lines),
    Rule("message-encoding", "message", "none", "The message is text in the encoding it declares.", _decodable),
    Rule("message-control", "message", "none", "No control characters.", _printable),
)
