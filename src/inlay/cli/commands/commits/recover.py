"""`inlay commits recover`: remove the lock files of an interrupted rewrite."""

from __future__ import annotations

import click

from inlay import commits
from inlay.cli import options
from inlay.cli.output.terminal import say, say_json


@click.command("recover")
@options.ROOT
@options.JSON
def command(root: str, as_json: bool) -> None:
    """Remove the lock files of an interrupted rewrite, left by a git process that was killed.

    The branch is at its old or at its new commit, never in between. Only lock files made by Inlay's own git processes
    are removed, and only when none of them is alive. `amend` and `undo` do this first.

    \b
    Examples:
      inlay commits recover

    Exit codes: 0 no lock is left; 5 a lock could not be removed.
    """
    removed = commits.recover(root)
    if as_json:
        say_json({"status": "recovered" if removed else "unchanged", "removed": list(removed)})
        return
    for file in removed:
        say(f"removed {file}")
    say("Done." if removed else "Nothing to do.")
