"""`inlay redo`: redo the last undone change."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace, print_receipt


@click.command("redo")
@click.option("--force", is_flag=True, help="Redo it although later work is lost; that redo can be undone, too.")
@options.ROOT
@options.WAIT
@options.JSON
def command(force: bool, root: str, wait: float, as_json: bool) -> None:
    """Redo the last undone change; lines that were changed since are kept, as with `inlay undo`.

    \b
    Examples:
      inlay undo && inlay redo
      inlay redo --json

    Exit codes: 0 done; 4 later changes would be lost, or nothing to redo; 5 disk or system error.
    """
    receipt = open_workspace(root, wait).redo(force=force)
    print_receipt(receipt, f"Done: undo {receipt.reverses} was reverted.", as_json=as_json)
