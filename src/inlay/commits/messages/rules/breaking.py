"""Breaking changes: marked in the header, in the footer, or in both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

_LOOSE = re.compile(r"(?i)breaking[ -]changes?\s*(?::|$)")
_STRICT = re.compile(r"BREAKING[ -]CHANGE(?:: | #)\S")


def _both(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    in_footer = any(_STRICT.match(line) for line in message.footer)
    if message.is_conventional and in_footer != message.is_marked:
        where = "the footer, so the header needs `!` before the colon" if in_footer else "the header, not the footer"
        yield Violation(f"A breaking change is marked in {where}.", 1)


def _mark(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if message.is_conventional and message.is_marked == applied.never:
        yield Violation(f"The header must {'not ' if applied.never else ''}have `!` before the colon.", 1)


def _well_formed(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines[1:], 2):
        if _LOOSE.match(line) and not _STRICT.match(line):
            yield Violation(
                f"Line {number} means `BREAKING CHANGE: description`, which tools read only in that form.", number
            )


RULES = (
    Rule("breaking-change-exclamation-mark", "header", "none", "A breaking change is in header and footer.", _both),
    Rule("subject-exclamation-mark", "subject", "none", "The header has `!`, or with `never` has none.", _mark),
    Rule("breaking-change-form", "footer", "none", "A breaking change is written so that tools find it.", _well_formed),
)
