"""`inlay commits recover`: remove lock files that an interrupted rewrite left."""

from __future__ import annotations

import json

import click

from inlay import commits
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import say
from inlay.cli.root_option import ROOT


@click.command("recover")
@ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, as_json: bool) -> None:
    """Remove the lock files that a killed git left when a rewrite was interrupted.

    The branch is at its old or at its new commit, never between. Only files that Inlay's own git made are removed, and
    only when no such git is running. `amend` and `undo` do this first.

    \b
    Examples:
      inlay commits recover

    Exits with 0 when nothing blocks git any more, 5 when something does.
    """
    reporting.audience = "program" if as_json else "person"
    removed = commits.recover(root)
    if as_json:
        click.echo(json.dumps({"status": "recovered" if removed else "unchanged", "removed": list(removed)}))
        return
    for file in removed:
        say(f"removed {file}")
    say("Done." if removed else "Nothing to do.")
