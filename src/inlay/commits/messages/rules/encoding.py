"""Whether a message is text at all."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation


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
    Rule("message-encoding", "message", "none", "The message is text in the encoding it declares.", _decodable),
    Rule("message-control", "message", "none", "No control characters.", _printable),
)
