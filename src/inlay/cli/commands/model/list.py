"""`inlay model list`: the models that were pulled, and those that can be."""

from __future__ import annotations

import json
import os

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.terminal import safe
from inlay.llm.download import pull
from inlay.storage.stores import model_files

_MB = 1_000_000


@click.command("list")
@replies.JSON
def command(as_json: bool) -> None:
    """List the models that were pulled and those that can be.

    \b
    Examples:
      inlay model list
      inlay model list --json
    """
    here = model_files.pulled(os.environ)
    names = {each.name for each in here}
    there = [each for each in pull.table().values() if each.name not in names]
    if as_json:
        pulled = [{"name": each.name, "path": each.path, "size": each.size} for each in here]
        can = [{"name": each.name, "about": each.about, "size": each.size} for each in there]
        click.echo(json.dumps({"pulled": pulled, "pullable": can}))
        return
    for each in here:
        click.echo(safe(f"{each.name}  {each.size // _MB:,} MB  {each.path}"))
    for other in there:
        click.echo(safe(f"{other.name}  {other.size // _MB:,} MB  not pulled: {other.about}"))
