"""`inlay formats`: list the edit formats and the prompts that teach them to a model."""

from __future__ import annotations

import click

from inlay.cli import options
from inlay.cli.output.terminal import say_json


@click.command("formats")
@click.argument("name", required=False)
@options.JSON
def command(name: str | None, as_json: bool) -> None:
    """List the edit formats and their prompts.

    With NAME, which may be an alias, print the prompt that teaches the format to a model.

    \b
    Examples:
      inlay formats
      inlay formats find_replace >> system-prompt.md
      inlay formats udiff                 aliases work as well
      inlay formats --json
    """
    from inlay.engine import formats
    from inlay.engine.formats.all_formats import format_named

    try:
        chosen = [format_named(name)] if name else list(formats.FORMATS.values())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    if as_json:
        fields = ("name", "aliases", "title", "prompt")
        say_json([{field: getattr(entry, field) for field in fields} for entry in chosen])
    elif name:
        click.echo(chosen[0].prompt.rstrip("\n"))
    else:
        width = max(len(entry.name) for entry in chosen)
        for entry in chosen:
            aliases = f" (also: {', '.join(entry.aliases)})" if entry.aliases else ""
            click.echo(f"{entry.name:<{width}}  {entry.title}{aliases}")
        click.echo("\n`inlay formats NAME` prints the prompt that teaches the format to a model.")
