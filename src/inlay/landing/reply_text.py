"""Whether a reply is text that may be read at all, and how its bytes become text."""

from __future__ import annotations

from inlay.errors import Misfit, ReplyMalformed
from inlay.model.file import decode


def as_text(data: bytes, what: str = "the reply") -> str:
    """The text of a reply as it came over a pipe; bytes that are no UTF-8 travel on as lone surrogates."""
    decoded = decode(data)
    if decoded is None:
        raise ReplyMalformed(Misfit("not-text", f"{what} is not text: it holds NUL bytes or broken UTF-16"))
    return decoded[0]


def require_text(text: str, what: str = "the reply") -> None:
    """Raise for text with NUL characters, which no source file may get from an edit."""
    if "\0" in text:
        message = f"{what} holds a NUL character, so it is not plain text"
        raise ReplyMalformed(Misfit("not-text", message, "Send plain text."))
