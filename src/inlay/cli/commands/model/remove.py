"""`inlay model remove`: delete a pulled model."""

from __future__ import annotations

import json
import os

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import safe
from inlay.storage.stores import model_files


@click.command("remove")
@click.argument("name")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, name: str, as_json: bool) -> None:
    """Delete a pulled model.

    \b
    Examples:
      inlay model remove qwen2.5-coder-0.5b
    """
    reporting.audience = "program" if as_json else "person"
    model_files.remove(name, os.environ)
    click.echo(json.dumps({"removed": name}) if as_json else safe(f"{name} was deleted."))
