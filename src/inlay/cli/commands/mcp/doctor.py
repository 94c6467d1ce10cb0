"""`inlay mcp doctor`: start the server as each client would, and check that it responds."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import click

from inlay.cli import options
from inlay.cli.mcp_config import clients
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.errors import EnvironmentFailure


@dataclass(frozen=True, slots=True)
class Start:
    where: str  #: the client that starts it so
    command: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@click.command("doctor")
@click.option("--client", "name", type=click.Choice(sorted(clients.CLIENTS)), help="Check this client only.")
@options.ROOT
@options.JSON
def command(name: str | None, root: str, as_json: bool) -> None:
    """Check that the configured servers start and respond: shake hands, list the tools and call one.

    Without any client configuration, check `inlay mcp` itself.

    \b
    Examples:
      inlay mcp doctor
      inlay mcp doctor --client cursor --json

    Exit codes: 0 every server responds; 1 one does not.
    """
    project = Path(root).absolute()
    starts = list(_starts(project, name))
    if not starts and name:
        raise EnvironmentFailure(f"{clients.CLIENTS[name].title} has no server named {clients.NAME}; install it first")
    starts = starts or [Start("inlay itself", clients.command(), ("mcp", "--root", "."))]
    results = [_check(start, project, quiet=as_json) for start in starts]
    if as_json:
        say_json({"servers": results})
    if any(not result["answers"] for result in results):
        raise click.exceptions.Exit(1)


def _starts(root: Path, only: str | None) -> Iterator[Start]:
    from inlay.storage.stores import client_config

    def filled(text: str) -> str:
        return text.replace("${workspaceFolder}", str(root))

    for client in clients.CLIENTS.values():
        for scope in get_args(clients.Scope) if only in (None, client.name) else ():
            file = client.file(scope, root)
            try:
                config = (tomllib.loads if client.toml else json.loads)(client_config.read(file) or "")
                entry = config[client.key][clients.NAME]
                command = entry["command"]
            except (ValueError, KeyError, TypeError):
                continue  # the server is not in it, or the file cannot be read
            if isinstance(command, str):
                arguments = tuple(map(filled, entry.get("args", ())))
                yield Start(f"{client.title} ({file})", filled(command), arguments, entry.get("env", {}))


def _check(start: Start, root: Path, *, quiet: bool) -> dict[str, Any]:
    from inlay.mcp_server.probe_server import Unanswered, probe

    result: dict[str, Any] = {"where": start.where, "command": [start.command, *start.arguments], "answers": False}
    paint = Painter()
    try:
        server = probe(start.command, start.arguments, cwd=str(root), environment=start.environment)
    except Unanswered as error:
        if not quiet:
            say(f"{paint('✗', 'red')} {paint(start.where, bold=True)}: {paint(str(error))}")
        return {**result, "why": str(error)}
    if not quiet:
        summary = f"{server.server} {server.version}, {len(server.tools)} tools, protocol {server.protocol}"
        say(f"{paint('✔', 'green')} {paint(start.where, bold=True)}: {paint(summary)} ({server.seconds:.1f} s)")
    return {
        **result,
        "answers": True,
        "server": server.server,
        "version": server.version,
        "protocol": server.protocol,
        "seconds": server.seconds,
        "tools": list(server.tools),
    }
