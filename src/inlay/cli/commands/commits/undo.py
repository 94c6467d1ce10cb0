"""`inlay commits undo`: take back a rewriting of messages."""

from __future__ import annotations

import json

import click

from inlay import commits
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.rewrite_text import backup_line, print_undone
from inlay.cli.output.terminal import say
from inlay.cli.root_option import ROOT
from inlay.render.amended import backup_json


@click.command("undo")
@click.argument("number", required=False, type=int, metavar="[NUMBER]")
@ROOT
@click.option("--list", "is_listing", is_flag=True, help="List the rewritings that are remembered.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, number: int | None, root: str, is_listing: bool, as_json: bool) -> None:
    """Take back a rewriting of messages: the last one on this branch, or the one with that number.

    The branch goes back to the commit it was at, if it still is where the rewriting left it; otherwise nothing happens,
    and the old history stays where it is kept, under refs/inlay/backup.

    \b
    Examples:
      inlay commits undo
      inlay commits undo --list
      inlay commits undo 3

    Exits with 0 when it is done, 2 when there is no such rewriting, 4 when the branch has moved on, 5 when git is at
    fault.
    """
    reporting.audience = "program" if as_json else "person"
    if not is_listing:
        print_undone(commits.undo(root, number), as_json=as_json)
        return
    backups = commits.backups(root)
    if as_json:
        click.echo(json.dumps([backup_json(backup) for backup in backups]))
        return
    for backup in backups:
        say(backup_line(backup))
