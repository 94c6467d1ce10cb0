"""`inlay model`: local models, one file per command."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "list": ("inlay.cli.commands.model.list", "List downloaded and downloadable models."),
    "pull": ("inlay.cli.commands.model.pull", "Download a small coding model."),
    "remove": ("inlay.cli.commands.model.remove", "Delete a downloaded model."),
}


@click.group("model", cls=LazyGroup, sections={"Commands": COMMANDS})
def command() -> None:
    """Download, list and delete local models. `inlay models` lists all available models.

    \b
    Examples:
      inlay model pull                          download the default model
      inlay edit app.py -m "…" --model local:qwen2.5-coder-1.5b
      inlay model remove qwen2.5-coder-1.5b
    """
