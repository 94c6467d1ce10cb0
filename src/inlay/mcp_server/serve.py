"""Runs the server on standard input and output, or on HTTP of this machine with a token."""

from __future__ import annotations

import contextlib
import hmac
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from inlay.mcp_server.server import build
from inlay.tools import Toolbox

PATH = "/mcp"
_HOST = "127.0.0.1"


def over_stdio(toolbox: Toolbox) -> None:
    """Serve one client until it closes the connection."""
    _recover(toolbox)
    anyio.run(_stdio, toolbox)


async def _stdio(toolbox: Toolbox) -> None:
    server = build(toolbox)
    async with anyio.create_task_group() as group:
        group.start_soon(_exit_on_signal, toolbox)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _exit_on_signal(toolbox: Toolbox) -> None:
    """Exit at once on a signal, but not during a write; reading from the client cannot be interrupted."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for number in signals:
            await anyio.to_thread.run_sync(toolbox.rest)
            os._exit(128 + number)


def over_http(toolbox: Toolbox, port: int, token: str, on_ready: Callable[[str], None]) -> None:
    """Serve any number of clients that know the token; port 0 takes a free port, `on_ready` gets the address."""
    _recover(toolbox)
    with socket.create_server((_HOST, port)) as listening:
        bound: int = listening.getsockname()[1]
        on_ready(f"http://{_HOST}:{bound}{PATH}")
        anyio.run(_http, toolbox, listening, bound, token)


async def _http(toolbox: Toolbox, listening: socket.socket, port: int, token: str) -> None:
    import uvicorn

    hosts = [f"{_HOST}:{port}", f"localhost:{port}"]
    # Against DNS rebinding: a web page whose name was made to resolve to this machine sends that name.
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    app = build(toolbox).streamable_http_app(streamable_http_path=PATH, transport_security=security)
    config = uvicorn.Config(Gate(app, token), log_level="warning", lifespan="on", timeout_graceful_shutdown=3)
    await uvicorn.Server(config).serve(sockets=[listening])


class Gate:
    """Rejects requests without the token."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        tokens = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        is_admitted = len(tokens) == 1 and hmac.compare_digest(tokens[0], self._wanted)
        if scope["type"] == "http" and not is_admitted:
            headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"a bearer token is required\n"})
            return
        await self._app(scope, receive, send)


def _recover(toolbox: Toolbox) -> None:
    """Roll back an interrupted write at once; otherwise the project is opened on first use."""
    with contextlib.suppress(OSError):
        if os.listdir(os.path.join(toolbox.root, ".inlay", "pending")):
            toolbox.warm()
