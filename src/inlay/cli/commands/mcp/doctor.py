"""`inlay mcp doctor`: start the server as a client would, and see whether it answers."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import click

from inlay.cli import reply_input as replies
from inlay.cli import root_option
from inlay.cli.mcp_config import clients
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.errors import EnvironmentFailure
from inlay.storage.stores import client_config


@dataclass(frozen=True, slots=True)
class Start:
    """One way in which a server is started."""

    where: str  #: who starts it so
    command: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@click.command("doctor")
@click.option("--client", "name", type=click.Choice(sorted(clients.CLIENTS)), help="Only this client's configuration.")
@root_option.ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, name: str | None, root: str, as_json: bool) -> None:
    """Start the server as each configured client would, shake hands, list the tools and call one.

    Without a client's configuration the server is started as `inlay mcp` itself.

    \b
    Examples:
      inlay mcp doctor
      inlay mcp doctor --client cursor --json

    Exits with 0 when every server answers, 1 when one does not.
    """
    reporting.audience = "program" if as_json else "person"
    at = Path(root).absolute()
    starts = list(_starts(at, name))
    if not starts and name:
        raise EnvironmentFailure(f"{clients.CLIENTS[name].title} has no server called {clients.NAME}; install it first")
    starts = starts or [Start("inlay itself", clients.command(), ("mcp", "--root", "."))]
    told = [_examined(start, at, quiet=as_json) for start in starts]
    if as_json:
        click.echo(json.dumps({"servers": told}))
    if any(not one["answers"] for one in told):
        raise click.exceptions.Exit(1)


def _starts(root: Path, only: str | None) -> Iterator[Start]:
    for client in clients.CLIENTS.values():
        for scope in get_args(clients.Scope) if only in (None, client.name) else ():
            file = client.file(scope, root)
            entry = _entry(client, client_config.read(file))
            if entry is not None:
                arguments = tuple(_filled(argument, root) for argument in entry.get("args", ()))
                yield Start(
                    f"{client.title} ({file})", _filled(entry["command"], root), arguments, entry.get("env", {})
                )


def _entry(client: clients.Client, text: str | None) -> dict[str, Any] | None:
    """Our server in a configuration, as far as that can be read."""
    try:
        told = (tomllib.loads if client.toml else json.loads)(text or "")
        entry = told[client.key][clients.NAME]
        return entry if isinstance(entry["command"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def _filled(text: str, root: Path) -> str:
    return text.replace("${workspaceFolder}", str(root))


def _examined(start: Start, root: Path, *, quiet: bool) -> dict[str, Any]:
    from inlay.mcp_server.probe_server import Unanswered, probe

    told: dict[str, Any] = {"where": start.where, "command": [start.command, *start.arguments], "answers": False}
    paint = Painter(sys.stdout)
    try:
        found = probe(start.command, start.arguments, cwd=str(root), environment=start.environment)
    except Unanswered as why:
        if not quiet:
            say(f"{paint('✗', 'red')} {paint(start.where, bold=True)}: {paint(str(why))}")
        return {**told, "why": str(why)}
    if not quiet:
        said = f"{found.server} {found.version}, {len(found.tools)} tools, protocol {found.protocol}"
        say(f"{paint('✔', 'green')} {paint(start.where, bold=True)}: {paint(said)} ({found.seconds:.1f} s)")
    about = {"server": found.server, "version": found.version, "protocol": found.protocol, "seconds": found.seconds}
    return {**told, "answers": True, **about, "tools": list(found.tools)}
