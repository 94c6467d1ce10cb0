"""`inlay gc`: drop old backups."""

from __future__ import annotations

import json
import re

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.root_option import ROOT

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _size(ctx: click.Context, param: click.Parameter, value: str) -> int:
    found = re.fullmatch(r"(\d+)([KMG]?)B?", value.upper())
    if found is None:
        raise click.BadParameter("a number of bytes, with K, M or G after it if you like")
    return int(found[1]) * _UNITS[found[2]]


@click.command("gc")
@ROOT
@click.option(
    "--older-than", default=30.0, show_default=True, metavar="DAYS", type=click.FloatRange(0), help="Drop by age."
)
@click.option(
    "--larger-than",
    default="1G",
    show_default=True,
    metavar="SIZE",
    callback=_size,
    help="Drop the oldest until the rest is no larger.",
)
@receipt_text.WAIT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, older_than: float, larger_than: int, wait: float, as_json: bool) -> None:
    """Drop old backups by age and by size, never the newest.

    A change whose backup is gone stays in the history, but can no longer be undone or shown.

    \b
    Examples:
      inlay gc
      inlay gc --older-than 7 --larger-than 100M
    """
    reporting.audience = "program" if as_json else "person"
    found = receipt_text.opened(root, wait).collect(older_than=older_than, larger_than=larger_than)
    if as_json:
        click.echo(json.dumps({"dropped": list(found.dropped), "freed": found.freed}))
    elif found.dropped:
        click.echo(f"Dropped {len(found.dropped)} backups, {found.freed} bytes.")
    else:
        click.echo("Nothing to drop.")
