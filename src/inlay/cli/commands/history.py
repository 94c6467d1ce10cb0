"""`inlay history`: list applied changes."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace
from inlay.cli.output.terminal import Painter, say, say_json


@click.command("history")
@options.ROOT
@options.MOST
@options.JSON
def command(root: str, most: int, as_json: bool) -> None:
    """List applied changes, newest first.

    \b
    Examples:
      inlay history
      inlay history --most 0 --json | jq -r '.[].id'
    """
    from inlay.render.receipt import receipt_json, written_text

    receipts = open_workspace(root).history(most or None)
    if as_json:
        say_json([receipt_json(receipt) for receipt in receipts])
        return
    paint = Painter()
    for receipt in receipts:
        reversed_change = f" of {receipt.reverses}" if receipt.reverses else ""
        head = f"{paint(receipt.id, 'yellow', bold=True)}  {receipt.time}  {receipt.kind}{reversed_change}"
        summary = f"  {paint(receipt.summary)}" if receipt.summary and not receipt.reverses else ""
        files = [f"  {paint(written_text(written))}" for written in receipt.files]
        notes = [f"  {paint('!', 'yellow')} {paint(note)}" for note in receipt.notes]
        say("\n".join([head + summary, *files, *notes]))
    if not receipts:
        say("No changes yet.")
