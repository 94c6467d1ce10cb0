"""How a reply reaches a command: from a file or from standard input, as bytes."""

from __future__ import annotations

from typing import BinaryIO

import click

from inlay.engine.formats.all_formats import format_named
from inlay.landing.reply_text import as_text

ARGUMENT = click.argument("reply", type=click.File("rb"), default="-", metavar="[REPLY | -]")


def _known_format(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return format_named(name).name
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


FORMAT = click.option(
    "--format",
    "format_name",
    metavar="F",
    callback=_known_format,
    help="The reply's format, by name or alias; detected when not given.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; see docs/json.md.")


def read(stream: BinaryIO) -> str:
    """The reply's text; says what it waits for when a person is at the keyboard."""
    if stream.isatty():
        click.echo("Reading the reply from the keyboard; end with Ctrl-D.", err=True)
    try:
        return as_text(stream.read())
    except IsADirectoryError:
        raise click.UsageError(f"{stream.name} is a directory, not a reply") from None
