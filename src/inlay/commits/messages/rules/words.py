"""Words and beginnings that a finished message does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

_SQUASH = re.compile(r"(?:fixup|squash|amend)!(?: |$)")


def _find(part: str, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    for number, line in enumerate(message.lines[: 1 if part == "header" else None], 1):
        for word in applied.texts:
            # A word ends where letters end, so "swiping" does not contain "wip".
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line, re.IGNORECASE):
                yield Violation(f"{word!r} must not be in the {part}.", number)


def _squash(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if mark := _SQUASH.match(message.header):
        yield Violation(f"{mark[0].strip()!r} means that it is still to be squashed into another commit.", 1)


RULES = (
    Rule("header-forbidden", "header", "texts", "Words that must not be in the header.", partial(_find, "header"),
         ("WIP",)),
    Rule("message-forbidden", "message", "texts", "Words that must not be anywhere.", partial(_find, "message")),
    Rule("header-squash", "header", "none", "No `fixup!`, `squash!` or `amend!` is left.", _squash),
)  # fmt: skip
