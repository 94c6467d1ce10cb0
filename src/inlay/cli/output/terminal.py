"""What may reach a terminal: colour only where it is wanted, and never a control character from a reply or file."""

from __future__ import annotations

import os
from typing import IO, Any

import click

from inlay.text.redact import secrets_of, without
from inlay.text.visible import spelled_out


def wants_colour(stream: IO[Any]) -> bool:
    """Whether `stream` is a terminal that shows colour and nobody has asked for none."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """`text` with everything that could steer a terminal or hide itself made visible."""
    return spelled_out(text)


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
