"""`inlay mcp install`: write the server into a client's own configuration, shown first and backed up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from inlay.cli import reply_input as replies
from inlay.cli import root_option
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.mcp_config import clients, config_edit
from inlay.cli.output.diff_text import compare
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.errors import EnvironmentFailure, NeedsDecision
from inlay.storage.stores import client_config

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("install")
@click.option(
    "--client", "name", type=click.Choice(sorted(clients.CLIENTS)), required=True, help="Whose configuration."
)
@click.option(
    "--scope",
    type=click.Choice(["project", "user"]),
    default="project",
    show_default=True,
    help="The project's configuration, to be shared, or your own for all projects.",
)
@root_option.ROOT
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@click.option("--print", "print_only", is_flag=True, help="Print what would be written, and write nothing.")
@replies.JSON
@click.pass_obj
def command(
    reporting: Reporting, name: str, scope: clients.Scope, root: str, yes: bool, print_only: bool, as_json: bool
) -> None:
    """Write the server into a client's configuration: what is there stays, and the old file is kept beside it.

    \b
    Examples:
      inlay mcp install --client claude-code
      inlay mcp install --client codex --scope user --yes
      inlay mcp install --client vscode --print

    Exits with 0 when it is there, 4 when nobody could be asked, 5 when the file cannot be changed for certain: one with
    comments is not rewritten, the entry to add is printed instead.
    """
    reporting.audience = "program" if as_json else "person"
    client = clients.CLIENTS[name]
    file = client.file(scope, Path(root).absolute())
    before = client_config.read(file)
    after = _merged(client, file, before)
    if print_only:
        click.echo(after, nl=False)
        return
    if after == before:
        _tell(as_json, "unchanged", file, None, f"{client.title} has it already, in {file}.")
        return
    _consent(file, before, after, yes=yes, as_json=as_json)
    kept = client_config.replace(file, after, expecting=before)
    backup = f" The old file is {kept}." if kept else ""
    _tell(as_json, "written", file, kept, f"Written to {file}.{backup} `inlay mcp doctor --client {name}` tries it.")


def _merged(client: clients.Client, file: Path, before: str | None) -> str:
    entry = client.entry(clients.command())
    into = config_edit.into_toml if client.toml else config_edit.into_json
    try:
        return into(before, client.key, clients.NAME, entry)
    except EnvironmentFailure as error:
        wanted = into(None, client.key, clients.NAME, entry)
        raise EnvironmentFailure(f"{file} was left alone: {error}. The entry is:\n{wanted}") from None


def _consent(file: Path, before: str | None, after: str, *, yes: bool, as_json: bool) -> None:
    """Show the difference, and ask unless that was done on the command line."""
    if not as_json:
        paint = Painter(sys.stderr)
        say(paint(f"{file}:", bold=True), err=True)
        for line in compare(before or "", after):
            say(paint(line.plain, _COLOURS.get(line.kind)), err=True)
    if yes:
        return
    dialogue = None if as_json else Dialogue.find()
    if dialogue is None:
        raise NeedsDecision(f"{file} would be changed, and there is nobody to ask; say --yes to have it written")
    if (dialogue.ask("Write it? [y/N] ") or "").lower() not in ("y", "yes"):
        raise NeedsDecision("stopped by your decision; nothing was written")


def _tell(as_json: bool, status: str, file: Path, kept: Path | None, said: str) -> None:
    if as_json:
        click.echo(json.dumps({"status": status, "file": str(file), "backup": str(kept) if kept else None}))
    else:
        say(Painter(sys.stdout)(said, "green"))
