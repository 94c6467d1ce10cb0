"""What may reach a terminal: colour where it is wanted, and no control character from a reply or a file."""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

import click

from inlay.text.redact import secrets_of, without
from inlay.text.visible import spelled_out


def wants_colour(stream: IO[Any]) -> bool:
    """Whether `stream` is a terminal that shows colour, unless the environment overrides it."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """`text` with control and invisible characters spelled out."""
    return spelled_out(text)


def say(text: str, *, err: bool = False) -> None:
    """Print text that a Painter of the same stream has made safe."""
    click.echo(hidden(text), err=err, color=True)


def say_json(value: object) -> None:
    click.echo(json.dumps(value))


def hidden(text: str) -> str:
    """`text` without the environment's secrets: a server may echo them, and a model repeat them."""
    return without(text, secrets_of(os.environ))


class Painter:
    """Paints words for one stream, standard output by default, or leaves them plain."""

    def __init__(self, stream: IO[Any] | None = None) -> None:
        self._colour = wants_colour(stream or sys.stdout)

    def __call__(
        self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False, reverse: bool = False
    ) -> str:
        shown = safe(text)
        if not self._colour or not shown or not (colour or bold or dim or reverse):
            return shown
        return click.style(shown, fg=colour, bold=bold or None, dim=dim or None, reverse=reverse or None)
