"""`inlay undo`: undo a change."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace, print_receipt


@click.command("undo")
@click.argument("number", required=False, metavar="[ID]")
@options.ROOT
@options.WAIT
@options.JSON
def command(number: str | None, root: str, wait: float, as_json: bool) -> None:
    """Undo a change: the last one that was not undone, or the one with the number ID.

    Every file gets back its former content, mode and path. If one was modified since, by a person or by a later
    change, nothing is written and the files are listed. An undo is a change itself, so it can be undone.

    \b
    Examples:
      inlay undo
      inlay undo 12
      inlay history && inlay show 12     look before you undo

    Exit codes: 0 done; 2 no such change; 4 later changes would be lost, or nothing to undo; 5 disk or system error.
    """
    receipt = open_workspace(root, wait).undo(number)
    print_receipt(receipt, f"Done: change {receipt.reverses} was undone.", as_json=as_json)
