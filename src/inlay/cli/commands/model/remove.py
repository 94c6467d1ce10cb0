"""`inlay model remove`: delete a downloaded model."""

from __future__ import annotations

import json
import os

import click

from inlay.cli import options
from inlay.cli.output.terminal import safe


@click.command("remove")
@click.argument("name")
@options.JSON
def command(name: str, as_json: bool) -> None:
    """Delete a downloaded model.

    \b
    Examples:
      inlay model remove qwen2.5-coder-0.5b
    """
    from inlay.storage.stores import model_files

    model_files.remove(name, os.environ)
    click.echo(json.dumps({"removed": name}) if as_json else safe(f"{name} was deleted."))
