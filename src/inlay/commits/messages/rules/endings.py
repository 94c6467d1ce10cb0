"""How a part ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_PARTS: tuple[Part, ...] = ("header", "subject", "body")


def _finder(part: Part) -> Callable[[CommitMessage, Applied], Iterator[Violation]]:
    def find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
        text = message.part(part).rstrip()
        stops = "".join(applied.texts) or "."
        # Three dots say that something goes on; they do not end a sentence.
        is_ended = bool(text) and text[-1] in stops and not text.endswith("...")
        if applied.never and is_ended:
            yield Violation(f"The {part} must not end with {text[-1]!r}.", message.numbered(part)[-1][0])
        elif text and not applied.never and not is_ended:
            yield Violation(f"The {part} must end with one of {stops!r}.", message.numbered(part)[-1][0])

    return find


RULES = tuple(
    Rule(f"{part}-full-stop", part, "text", f"The {part} ends with one of these characters, or with `never` does not.",
         _finder(part), ".")
    for part in _PARTS
)  # fmt: skip
