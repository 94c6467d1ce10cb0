"""How a part ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_PARTS: tuple[Part, ...] = ("header", "subject", "body")


def _find(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    text = message.part(part).rstrip()
    stops = "".join(applied.texts) or "."
    # Three dots mean that something goes on; they do not end a sentence.
    has_stop = bool(text) and text[-1] in stops and not text.endswith("...")
    if text and has_stop == applied.never:
        rule = f"not end with {text[-1]!r}" if applied.never else f"end with one of {stops!r}"
        yield Violation(f"The {part} must {rule}.", message.numbered(part)[-1][0])


RULES = tuple(
    Rule(f"{part}-full-stop", part, "text", f"The {part} ends with one of these characters, or with `never` does not.",
         partial(_find, part), ".")
    for part in _PARTS
)  # fmt: skip
