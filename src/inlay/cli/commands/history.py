"""`inlay history`: list what was written."""

from __future__ import annotations

import json
import sys

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.model.receipt import Receipt


@click.command("history")
@ROOT
@click.option("-n", "--most", default=20, show_default=True, type=click.IntRange(0), help="List so many; 0 for all.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, most: int, as_json: bool) -> None:
    """List the changes that were written, newest first.

    \b
    Examples:
      inlay history
      inlay history --most 0 --json | jq -r '.[].id'
    """
    reporting.audience = "program" if as_json else "person"
    found = receipt_text.opened(root).history(most or None)
    if as_json:
        click.echo(json.dumps([receipt_text.as_json(receipt) for receipt in found]))
        return
    paint = Painter(sys.stdout)
    for receipt in found:
        say("\n".join(_lines(receipt, paint)))
    if not found:
        say("Nothing was written here yet.")


def _lines(receipt: Receipt, paint: Painter) -> list[str]:
    taken_back = f" of {receipt.reverses}" if receipt.reverses else ""
    head = f"{paint(receipt.id, 'yellow', bold=True)}  {receipt.time}  {receipt.kind}{taken_back}"
    summary = f"  {paint(receipt.summary)}" if receipt.summary and not receipt.reverses else ""
    notes = [f"  {paint('!', 'yellow')} {paint(note)}" for note in receipt.notes]
    return [head + summary, *(receipt_text.file_line(written, paint) for written in receipt.files), *notes]
