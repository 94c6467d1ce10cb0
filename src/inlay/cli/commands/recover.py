"""`inlay recover`: take back what was cut short."""

from __future__ import annotations

import json

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.root_option import ROOT
from inlay.storage import Workspace


@click.command("recover")
@ROOT
@receipt_text.WAIT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, wait: float, as_json: bool) -> None:
    """Take back changes that were cut short, by a crash or a power cut.

    Every command that works on a project does this first, so it is needed only to be certain now. A file that holds
    neither the old nor the new content is somebody's work: it is left as it is and named.

    \b
    Examples:
      inlay recover
      inlay recover -C ~/src/project --json
    """
    reporting.audience = "program" if as_json else "person"
    found = Workspace(root, wait=wait).recover()
    taken_back = [recovery for recovery in found if not recovery.sealed]
    if as_json:
        click.echo(json.dumps({"recovered": [receipt_text.recovery_as_json(recovery) for recovery in found]}))
        return
    receipt_text.tell_recoveries(found)
    click.echo(f"{len(taken_back)} taken back." if taken_back else "Nothing was cut short.")
