"""Starts a server as a client would, and checks that it answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

_TIMEOUT = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Probed:
    server: str
    version: str
    protocol: str
    tools: tuple[str, ...]
    seconds: float  #: from the start of the process to its list of tools


class Unanswered(Exception):
    """The server did not start, or did not answer as expected."""


def probe(command: str, arguments: Sequence[str], *, cwd: str, environment: Mapping[str, str] | None = None) -> Probed:
    """Start the command, list its tools and call one that changes nothing; raises Unanswered."""
    server = StdioServerParameters(command=command, args=list(arguments), cwd=cwd, env=dict(environment or {}) or None)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
        try:
            return anyio.run(_probe, server, stderr)
        except Exception as error:  # noqa: BLE001 - any failure of the command is what the caller asks about
            stderr.seek(0)
            raise Unanswered(_cause(error, stderr.read())) from None


async def _probe(server: StdioServerParameters, stderr: TextIO) -> Probed:
    started = time.monotonic()
    with anyio.fail_after(_TIMEOUT):
        async with Client(stdio_client(server, stderr), mode="legacy") as client:
            tools = (await client.list_tools()).tools
            seconds = time.monotonic() - started
            result = await client.call_tool("history", {"most": 1})
            if result.is_error:
                raise Unanswered("the tool history failed")
            about = client.server_info
            assert about is not None  # set by the handshake
            names = tuple(tool.name for tool in tools)
            return Probed(about.name, about.version, str(client.protocol_version), names, seconds)


def _cause(error: BaseException, stderr: str) -> str:
    """What went wrong, with the last line that the server wrote to standard error."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    is_late = isinstance(error, TimeoutError)
    cause = f"no answer within {_TIMEOUT:g} seconds" if is_late else str(error) or type(error).__name__
    last = stderr.strip().rpartition("\n")[2]
    return f"{cause} ({last[:300]})" if last else cause
