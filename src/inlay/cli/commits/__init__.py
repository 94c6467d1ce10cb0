"""`inlay commits`: the commands about commits, a file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "plan": ("inlay.cli.commits.plan", "Show how diffs would be split and packed, before any call."),
}


@click.group("commits", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Write, check and plan commit messages, however large the diff.

    \b
    Examples:
      inlay commits plan main..HEAD          what would be sent to a model, and what it would cost
    """
