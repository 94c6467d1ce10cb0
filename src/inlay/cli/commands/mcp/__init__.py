"""`inlay mcp`: serve the agent tools over MCP, and configure clients."""

from __future__ import annotations

import sys

import click

from inlay.cli import options
from inlay.cli.lazy import LazyGroup
from inlay.errors import EnvironmentFailure
from inlay.model.allowance import Allowance

COMMANDS = {
    "doctor": ("inlay.cli.commands.mcp.doctor", "Check that the configured servers start and respond."),
    "install": ("inlay.cli.commands.mcp.install", "Add the server to a client's configuration."),
}


@click.group("mcp", cls=LazyGroup, sections={"Commands": COMMANDS}, invoke_without_command=True)
@options.GROUP_ROOT
@click.option("--http", "over_http", is_flag=True, help="Serve over HTTP on this machine instead of standard input.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8459,
    show_default=True,
    help="Port for --http; 0 for any free one.",
)
@options.ALLOW
@click.pass_context
def command(context: click.Context, root: str | None, over_http: bool, port: int, allow: frozenset[Allowance]) -> None:
    """Serve the agent tools over MCP to one client, on standard input and output.

    The tools work in the directory --root and nowhere else; no tool takes it as an argument. Over HTTP the server
    listens on 127.0.0.1 only, and every request must carry the token in .inlay/mcp-token.

    \b
    Examples:
      inlay mcp install --client claude-code     add it to a client's configuration
      inlay mcp doctor                           check that it responds
      inlay mcp --root ~/src/project             what a client runs
      inlay mcp --http --port 0                  for clients that connect by URL

    Exit codes: 0 the client disconnected; 5 the server cannot start.
    """
    if context.invoked_subcommand is not None:
        return
    try:
        from inlay.mcp_server import serve
    except ModuleNotFoundError as error:
        message = f"{error.name} is not installed; the server needs the extra: pip install 'inlay[mcp]'"
        raise EnvironmentFailure(message) from None
    from inlay.tools import Toolbox

    toolbox = Toolbox(options.project(context, root), allow=allow)
    if over_http:
        from inlay.storage.state.secrets import server_token

        secret, file = server_token(toolbox.root)

        def on_ready(address: str) -> None:
            click.echo(f"Serving {toolbox.root} at {address}", err=True)
            click.echo(f"Clients send the header Authorization: Bearer followed by the content of {file}", err=True)

        try:
            serve.over_http(toolbox, port, secret, on_ready)
        except OSError as error:
            raise EnvironmentFailure(f"cannot listen on port {port}: {error.strerror}") from error
        return
    if sys.stdin.isatty():
        hint = "Waiting for an MCP client on standard input; `inlay mcp install` configures one. End with Ctrl-D."
        click.echo(hint, err=True)
    serve.over_stdio(toolbox)
