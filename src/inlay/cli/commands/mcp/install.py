"""`inlay mcp install`: add the server to a client's configuration, after showing the diff and keeping a backup."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from inlay.cli import options
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.mcp_config import clients, config_edit
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.errors import EnvironmentFailure, NeedsDecision

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("install")
@click.option(
    "--client", "name", type=click.Choice(sorted(clients.CLIENTS)), required=True, help="Client to configure."
)
@click.option(
    "--scope",
    type=click.Choice(["project", "user"]),
    default="project",
    show_default=True,
    help="Configure this project (shared), or all projects of the user.",
)
@options.ROOT
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("--print", "print_only", is_flag=True, help="Print the new configuration and write nothing.")
@options.JSON
def command(name: str, scope: clients.Scope, root: str, yes: bool, print_only: bool, as_json: bool) -> None:
    """Add the server to a client's configuration. Other entries are kept, and the old file is backed up beside it.

    \b
    Examples:
      inlay mcp install --client claude-code
      inlay mcp install --client codex --scope user --yes
      inlay mcp install --client vscode --print

    Exit codes: 0 installed; 4 there is nobody to ask; 5 the file cannot be changed safely: one with comments is not
    rewritten, the entry to add is printed instead.
    """
    from inlay.storage.stores import client_config

    client = clients.CLIENTS[name]
    file = client.file(scope, Path(root).absolute())
    before = client_config.read(file)
    entry = client.entry(clients.command())
    add = config_edit.into_toml if client.toml else config_edit.into_json
    try:
        after = add(before, client.key, clients.NAME, entry)
    except EnvironmentFailure as error:
        wanted = add(None, client.key, clients.NAME, entry)
        raise EnvironmentFailure(f"{file} was left unchanged: {error}. The entry is:\n{wanted}") from None
    if print_only:
        click.echo(after, nl=False)
        return
    status, backup, message = "unchanged", None, f"{client.title} is already configured in {file}."
    if after != before:
        _confirm(file, before, after, yes=yes, as_json=as_json)
        backup = client_config.replace(file, after, expecting=before)
        old_file = f" The old file is {backup}." if backup else ""
        message = f"Written to {file}.{old_file} Check it with `inlay mcp doctor --client {name}`."
        status = "written"
    if as_json:
        say_json({"status": status, "file": str(file), "backup": str(backup) if backup else None})
    else:
        say(Painter()(message, "green"))


def _confirm(file: Path, before: str | None, after: str, *, yes: bool, as_json: bool) -> None:
    """Show the diff, and ask unless --yes was given."""
    from inlay.text.diff import compare

    if not as_json:
        paint = Painter(sys.stderr)
        say(paint(f"{file}:", bold=True), err=True)
        for line in compare(before or "", after):
            say(paint(line.plain, _COLOURS.get(line.kind)), err=True)
    if yes:
        return
    dialogue = None if as_json else Dialogue.find()
    if dialogue is None:
        raise NeedsDecision(f"{file} would be changed, and there is nobody to ask; use --yes to write it")
    if not dialogue.confirm("Write it?"):
        raise NeedsDecision("cancelled; nothing was written")
