"""The options of the commands about commits that ask a model, as single parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from inlay.cli import options
from inlay.cli.command_settings import load
from inlay.model.settings import Settings, Value

_Command = TypeVar("_Command", bound=Callable[..., Any])

MODEL = options.MODEL


def asking(command: _Command) -> _Command:
    """`model`, `max_attempts`, `max_tokens`, `max_cost` and `max_seconds`."""
    for option in (
        click.option("--max-seconds", type=click.FloatRange(0), metavar="S", help="Total time limit for requests."),
        click.option("--max-cost", type=click.FloatRange(0), metavar="USD", help="Total cost limit in dollars."),
        click.option("--max-tokens", type=click.IntRange(0), metavar="N", help="Total token limit."),
        click.option("--max-attempts", type=click.IntRange(1), metavar="N", help="Attempts per request (default 3)."),
        MODEL,
    ):
        command = option(command)
    return command


def configured(root: str, *, quiet: bool = False, **flags: Value) -> Settings:
    """The settings for work in `root`."""
    return load(root, quiet=quiet, limits=None, **flags)
