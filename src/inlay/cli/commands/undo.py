"""`inlay undo`: take back a change."""

from __future__ import annotations

import json

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.root_option import ROOT


@click.command("undo")
@click.argument("number", required=False, metavar="[ID]")
@ROOT
@receipt_text.WAIT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, number: str | None, root: str, wait: float, as_json: bool) -> None:
    """Take back a change: the last one that stands, or the one with the number ID.

    Every file gets back the bytes, mode and place that it had. Where one of them was changed since, by a person or by
    a later change, nothing is written and the files are named. An undo is a change itself, so it can be undone.

    \b
    Examples:
      inlay undo
      inlay undo 12
      inlay history && inlay show 12     look before you undo

    Exits with 0 when it is done, 2 when there is no such change, 4 when later work would be lost or there is nothing
    to undo, 5 when the disk or the system is at fault.
    """
    reporting.audience = "program" if as_json else "person"
    receipt = receipt_text.opened(root, wait).undo(number)
    if as_json:
        click.echo(json.dumps(receipt_text.as_json(receipt)))
    else:
        receipt_text.tell(receipt, f"Done: change {receipt.reverses} was taken back.")
