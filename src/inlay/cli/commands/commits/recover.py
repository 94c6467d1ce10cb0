"""`inlay commits recover`: clear what an interrupted rewriting left behind."""

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
    """Clear what an interrupted rewriting left behind: lock files of a git that was killed.

    The branch is at its old or at its new commit, never between. Only files that our own git made are removed, and only
    when none of it is alive. `amend` and `undo` do this by themselves before they begin.

    \b
    Examples:
      inlay commits recover

    Exits with 0 when nothing is in the way any more, 5 when something is.
    """
    reporting.audience = "program" if as_json else "person"
    removed = commits.recover(root)
    if as_json:
        click.echo(json.dumps({"status": "recovered" if removed else "unchanged", "removed": list(removed)}))
        return
    for file in removed:
        say(f"removed {file}")
    say("Done." if removed else "Nothing to do.")
