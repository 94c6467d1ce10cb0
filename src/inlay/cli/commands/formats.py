"""`inlay formats`: list the edit formats with the prompts that teach them to a model."""

from __future__ import annotations

import json
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.engine import formats
from inlay.engine.formats.all_formats import format_named


@click.command("formats")
@click.argument("name", required=False)
@replies.JSON
def command(name: str | None, as_json: bool) -> None:
    """List the edit formats with the prompts that teach them.

    With NAME, which may be an alias, print the prompt that teaches a model that format.

    \b
    Examples:
      inlay formats
      inlay formats find_replace >> system-prompt.md
      inlay formats udiff                 an alias does as well
      inlay formats --json
    """
    chosen = [_find(name)] if name else list(formats.FORMATS.values())
    if as_json:
        click.echo(json.dumps([_as_json(entry) for entry in chosen]))
    elif name:
        click.echo(chosen[0].prompt.rstrip("\n"))
    else:
        width = max(len(entry.name) for entry in chosen)
        for entry in chosen:
            also = f" (also: {', '.join(entry.aliases)})" if entry.aliases else ""
            click.echo(f"{entry.name:<{width}}  {entry.title}{also}")
        click.echo("\n`inlay formats NAME` prints the prompt that teaches a model the format.")


def _find(name: str) -> formats.Format:
    try:
        return format_named(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None


def _as_json(entry: formats.Format) -> dict[str, Any]:
    return {"name": entry.name, "aliases": list(entry.aliases), "title": entry.title, "prompt": entry.prompt}
