"""`inlay redo`: take back the last undo."""

from __future__ import annotations

import json

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.root_option import ROOT


@click.command("redo")
@ROOT
@receipt_text.WAIT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, wait: float, as_json: bool) -> None:
    """Take back the last undo, so that its change stands again.

    \b
    Examples:
      inlay undo && inlay redo
      inlay redo --json

    Exits with 0 when it is done, 4 when later work would be lost or there is nothing to redo, 5 when the disk or the
    system is at fault.
    """
    reporting.audience = "program" if as_json else "person"
    receipt = receipt_text.opened(root, wait).redo()
    if as_json:
        click.echo(json.dumps(receipt_text.as_json(receipt)))
    else:
        receipt_text.tell(receipt, f"Done: the undo {receipt.reverses} was taken back.")
