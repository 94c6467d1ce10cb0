"""`inlay model`: the models on this machine, a file for each command."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "list": ("inlay.cli.commands.model.list", "List the models that were pulled and those that can be."),
    "pull": ("inlay.cli.commands.model.pull", "Fetch a small coding model to run on this machine."),
    "remove": ("inlay.cli.commands.model.remove", "Delete a pulled model."),
}


@click.group("model", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Fetch, list and delete models that run on this machine; `inlay models` lists everything that can be asked.

    \b
    Examples:
      inlay model pull                          fetch the usual one
      inlay edit app.py -m "…" --model local:qwen2.5-coder-1.5b
      inlay model remove qwen2.5-coder-1.5b
    """
