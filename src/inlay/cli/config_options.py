"""A command's settings: its options over the environment, the user's file and the repository's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from inlay.cli.output.terminal import Painter, say
from inlay.model.settings import Settings, Value
from inlay.storage.config import load_settings as stored

_Command = TypeVar("_Command", bound=Callable[..., Any])

MODEL = click.option("--model", metavar="NAME", help="The model to ask, as provider:name; see `inlay models`.")
FORMAT = click.option("--format", "format", metavar="NAME", help="The edit format to ask for; see `inlay formats`.")
MAX_ATTEMPTS = click.option("--max-attempts", type=click.IntRange(1), metavar="N", help="How often to ask; 3.")
MAX_TOKENS = click.option("--max-tokens", type=click.IntRange(0), metavar="N", help="Tokens to use in all.")
MAX_COST = click.option("--max-cost", type=click.FloatRange(0), metavar="USD", help="Dollars to spend in all.")
MAX_SECONDS = click.option("--max-seconds", type=click.FloatRange(0), metavar="S", help="Seconds to ask for in all.")


def asking(command: _Command) -> _Command:
    """The options of every command that asks a model: which, and how much it may take.

    They arrive as `model`, `max_attempts`, `max_tokens`, `max_cost` and `max_seconds`.
    """
    for option in (MAX_SECONDS, MAX_COST, MAX_TOKENS, MAX_ATTEMPTS, MODEL):
        command = option(command)
    return command


def configured(root: str, *, quiet: bool = False, **flags: Value) -> Settings:
    """The settings for work in `root`, with what was passed over told on the error stream.

    An option that is None was not given; `commits__ignore` stands for "commits.ignore".
    """
    found = stored.load(root, os.environ, {key.replace("__", "."): value for key, value in flags.items()})
    if not quiet:
        tell(found)
    return found


def tell(settings: Settings) -> None:
    """The notes, for the person, where no program reads them."""
    paint = Painter(sys.stderr)
    for note in settings.notes:
        say(f"{paint('note:', 'yellow')} {paint(note)}", err=True)


def require_format(settings: Settings) -> None:
    """Raise where the format that is set is none that there is."""
    from inlay.engine.formats.all_formats import format_named

    try:
        format_named(settings.text("format") or "find_replace")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=settings.origins["format"]) from None
