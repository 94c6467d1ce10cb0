"""What may reach a terminal: colour only where it is wanted, and never a control character from a reply or file."""

from __future__ import annotations

import os
import unicodedata
from typing import IO, Any

import click

from inlay.text.redact import secrets_of, without

_SHOWN = {"\t", " "}


def wants_colour(stream: IO[Any]) -> bool:
    """Whether `stream` is a terminal that shows colour and nobody has asked for none."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """`text` with everything that could steer a terminal or hide itself made visible."""
    if text.isprintable():
        return text
    return "".join(c if c in _SHOWN or not _steers(c) else _visible(c) for c in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control character
    return f"<U+{code:04X}>"


def say(text: str, *, err: bool = False) -> None:
    """Print a line that a Painter has painted, or not, for the very stream it goes to."""
    click.echo(hidden(text), err=err, color=True)


def hidden(text: str) -> str:
    """`text` without the secrets of the environment: a server may have said them back, and a model repeated them."""
    return without(text, secrets_of(os.environ))


class Painter:
    """Paints words for one stream, or leaves them plain."""

    def __init__(self, stream: IO[Any]) -> None:
        self._colour = wants_colour(stream)

    def __call__(
        self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False, reverse: bool = False
    ) -> str:
        """`text` made safe, and in colour where the stream wants it."""
        shown = safe(text)
        if not self._colour or not shown or not (colour or bold or dim or reverse):
            return shown
        return click.style(shown, fg=colour, bold=bold or None, dim=dim or None, reverse=reverse or None)
