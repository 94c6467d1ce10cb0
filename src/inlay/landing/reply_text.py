"""Whether a reply is text at all, and how its bytes become text."""

from __future__ import annotations

from inlay.errors import Misfit, ReplyMalformed
from inlay.model.file import decode


def as_text(data: bytes, what: str = "the reply") -> str:
    """Decode what came over a pipe; bytes that are not UTF-8 become lone surrogates."""
    decoded = decode(data)
    if decoded is None:
        raise ReplyMalformed(Misfit("not-text", f"{what} is not text: it has NUL bytes or broken UTF-16"))
    return decoded[0]


def require_text(text: str, what: str = "the reply") -> None:
    """Raise for NUL characters, which no edit may bring into a source file."""
    if "\0" in text:
        message = f"{what} has a NUL character, so it is not plain text"
        raise ReplyMalformed(Misfit("not-text", message, "Send plain text."))
