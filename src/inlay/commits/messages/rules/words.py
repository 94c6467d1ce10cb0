"""Words and beginnings that a finished message does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

_SQUASH = re.compile(r"(?:fixup|squash|amend)!(?: |$)")


def _finder(part: str) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        lines = enumerate(message.lines, 1) if part == "message" else [(1, message.header)]
        for number, line in lines:
            for word in applied.texts:
                # A word ends where letters end, so "wip" is not found in "swiping".
                if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line, re.IGNORECASE):
                    yield Violation(f"{word!r} must not stand in the {part}.", number)

    return find


def _squash(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if found := _SQUASH.match(message.header):
        yield Violation(f"{found[0].strip()!r} says that it is still to be squashed into another commit.", 1)


RULES = (
    Rule(
        "header-forbidden", "header", "texts", "Words that must not stand in the header.", _finder("header"), ("WIP",)
    ),
    Rule("message-forbidden", "message", "texts", "Words that must not stand anywhere.", _finder("message")),
    Rule("header-squash", "header", "none", "No `fixup!`, `squash!` or `amend!` is left.", _squash),
)
