"""`inlay undo`: undo a change."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace, print_receipt


@click.command("undo")
@click.argument("number", required=False, metavar="[ID]")
@click.option("--force", is_flag=True, help="Undo it although later work is lost; that undo can be undone, too.")
@options.ROOT
@options.WAIT
@options.JSON
def command(number: str | None, force: bool, root: str, wait: float, as_json: bool) -> None:
    """Undo a change: the last one that was not undone, or the one with the number ID.

    Every file gets back its former content, mode and path. Lines that were changed since, by a person or by a later
    change, are kept. Where they are the lines of the change or next to them, nothing is written and they are listed;
    --force restores the former lines there. An undo is a change itself, so it can be undone.

    \b
    Examples:
      inlay undo
      inlay undo 12
      inlay undo 12 --force
      inlay history && inlay show 12     look before you undo

    Exit codes: 0 done; 2 no such change; 4 later changes would be lost, or nothing to undo; 5 disk or system error.
    """
    receipt = open_workspace(root, wait).undo(number, force=force)
    print_receipt(receipt, f"Done: change {receipt.reverses} was undone.", as_json=as_json)
