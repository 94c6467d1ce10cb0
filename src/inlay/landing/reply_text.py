"""Whether a reply is text at all."""

from __future__ import annotations

from inlay.errors import Misfit, ReplyMalformed


def require_text(text: str, what: str = "the reply") -> None:
    """Raise for NUL characters, which no edit may bring into a source file."""
    if "\0" in text:
        message = f"{what} has a NUL character, so it is not plain text"
        raise ReplyMalformed(Misfit("not-text", message, "Send plain text."))
