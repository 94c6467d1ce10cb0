"""`inlay recover`: roll back interrupted writes."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.landing_text import print_recoveries
from inlay.cli.output.terminal import say_json


@click.command("recover")
@options.ROOT
@options.WAIT
@options.JSON
def command(root: str, wait: float, as_json: bool) -> None:
    """Roll back interrupted writes, after a crash or a power failure.

    Every command that works on a project does this first, so it is rarely needed. A file with neither the old nor the
    new content was modified by somebody else: it is left as it is and listed.

    \b
    Examples:
      inlay recover
      inlay recover -C ~/src/project --json
    """
    from inlay.render.receipt import recovery_json
    from inlay.storage import Workspace

    recoveries = Workspace(root, wait=wait).recover()
    if as_json:
        say_json({"recovered": [recovery_json(recovery) for recovery in recoveries]})
        return
    print_recoveries(recoveries)
    count = sum(not recovery.sealed for recovery in recoveries)
    click.echo(f"{count} rolled back." if count else "Nothing to roll back.")
