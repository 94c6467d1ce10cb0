"""`inlay redo`: redo the last undone change."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace, print_receipt


@click.command("redo")
@options.ROOT
@options.WAIT
@options.JSON
def command(root: str, wait: float, as_json: bool) -> None:
    """Redo the last undone change.

    \b
    Examples:
      inlay undo && inlay redo
      inlay redo --json

    Exit codes: 0 done; 4 later changes would be lost, or nothing to redo; 5 disk or system error.
    """
    receipt = open_workspace(root, wait).redo()
    print_receipt(receipt, f"Done: undo {receipt.reverses} was reverted.", as_json=as_json)
