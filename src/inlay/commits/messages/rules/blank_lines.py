"""The blank line before the body, and the one before the footer."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation


def _before_body(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if len(message.lines) < 2:
        return
    is_blank = not message.lines[1].strip()
    if is_blank == applied.never:
        yield Violation(f"There must be {'no' if applied.never else 'a'} blank line after the header.", 2)


def _before_footer(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if not message.footer or not message.body:
        return
    is_blank = not message.lines[message.footer_line - 2].strip()
    if is_blank == applied.never:
        yield Violation(
            f"There must be {'no' if applied.never else 'a'} blank line before the footer.", message.footer_line
        )


RULES = (
    Rule("body-leading-blank", "body", "none", "There is a blank line between header and body.", _before_body),
    Rule("footer-leading-blank", "footer", "none", "There is a blank line before the footer.", _before_footer),
)
