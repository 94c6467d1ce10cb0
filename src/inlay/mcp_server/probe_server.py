"""Starts a server as a client would, and tells whether it answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

_PATIENCE = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Probed:
    """What a server said about itself."""

    server: str
    version: str
    protocol: str
    tools: tuple[str, ...]
    seconds: float  #: from the start of the process to its list of tools


class Unanswered(Exception):
    """The server did not start, or did not answer as a server of ours does."""


def probe(command: str, arguments: Sequence[str], *, cwd: str, environment: Mapping[str, str] | None = None) -> Probed:
    """Start the command, shake hands, list the tools and call one that changes nothing; raises Unanswered."""
    wanted = StdioServerParameters(command=command, args=list(arguments), cwd=cwd, env=dict(environment or {}) or None)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        try:
            return anyio.run(_probe, wanted, complaints)
        except Exception as error:  # noqa: BLE001 - whatever a foreign command does is the answer to the question
            complaints.seek(0)
            raise Unanswered(_cause(error, complaints.read())) from None


async def _probe(wanted: StdioServerParameters, complaints: TextIO) -> Probed:
    started = time.monotonic()
    with anyio.fail_after(_PATIENCE):
        async with Client(stdio_client(wanted, complaints), mode="legacy") as client:
            listed = (await client.list_tools()).tools
            seconds = time.monotonic() - started
            done = await client.call_tool("history", {"most": 1})
            if done.is_error:
                raise Unanswered("the tool history failed")
            about = client.server_info
            assert about is not None  # the handshake has it
            return Probed(
                about.name, about.version, str(client.protocol_version), tuple(tool.name for tool in listed), seconds
            )


def _cause(error: BaseException, complaints: str) -> str:
    """What went wrong, with the last that the server itself had to say."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    late = isinstance(error, TimeoutError)
    said = f"no answer within {_PATIENCE:g} seconds" if late else str(error) or type(error).__name__
    last = complaints.strip().rpartition("\n")[2]
    return f"{said} ({last[:300]})" if last else said
