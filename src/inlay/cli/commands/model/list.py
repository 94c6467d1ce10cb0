"""`inlay model list`: the downloaded models, and those that can be downloaded."""

from __future__ import annotations

import os

import click

from inlay.cli import options
from inlay.cli.output.terminal import safe, say_json

_MB = 1_000_000


@click.command("list")
@options.JSON
def command(as_json: bool) -> None:
    """List downloaded and downloadable models.

    \b
    Examples:
      inlay model list
      inlay model list --json
    """
    from inlay.llm.download import pull
    from inlay.storage.stores import model_files

    local = model_files.pulled(os.environ)
    names = {model.name for model in local}
    remote = [model for model in pull.table().values() if model.name not in names]
    if as_json:
        pulled = [{"name": model.name, "path": model.path, "size": model.size} for model in local]
        pullable = [{"name": model.name, "about": model.about, "size": model.size} for model in remote]
        say_json({"pulled": pulled, "pullable": pullable})
        return
    for model in local:
        click.echo(safe(f"{model.name}  {model.size // _MB:,} MB  {model.path}"))
    for other in remote:
        click.echo(safe(f"{other.name}  {other.size // _MB:,} MB  not downloaded: {other.about}"))
