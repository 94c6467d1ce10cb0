"""`inlay gc`: delete old backups."""

from __future__ import annotations

import re

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace
from inlay.cli.output.terminal import say_json


def _size(ctx: click.Context, param: click.Parameter, value: str) -> int:
    size = re.fullmatch(r"(\d+)([KMG]?)B?", value.upper())
    if size is None:
        raise click.BadParameter("expected a number of bytes, optionally followed by K, M or G")
    return int(size[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[size[2]]


@click.command("gc")
@options.ROOT
@click.option(
    "--older-than",
    default=30.0,
    show_default=True,
    metavar="DAYS",
    type=click.FloatRange(0),
    help="Delete backups older than this.",
)
@click.option(
    "--larger-than",
    default="1G",
    show_default=True,
    metavar="SIZE",
    callback=_size,
    help="Delete the oldest until the rest is no larger.",
)
@options.WAIT
@options.JSON
def command(root: str, older_than: float, larger_than: int, wait: float, as_json: bool) -> None:
    """Delete old backups by age and by size, never the newest.

    A change without a backup stays in the history, but can no longer be undone or shown.

    \b
    Examples:
      inlay gc
      inlay gc --older-than 7 --larger-than 100M
    """
    collected = open_workspace(root, wait).collect(older_than=older_than, larger_than=larger_than)
    if as_json:
        say_json({"dropped": list(collected.dropped), "freed": collected.freed})
    elif collected.dropped:
        click.echo(f"Deleted {len(collected.dropped)} backups, {collected.freed} bytes.")
    else:
        click.echo("Nothing to delete.")
