"""The server as a process of its own: over standard input and output, and over HTTP with its guards."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from inlay.mcp_server.serve import Gate
from inlay.storage.state.secrets import server_token

pytestmark = pytest.mark.slow

INLAY = str(Path(sys.executable).with_name("inlay"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("x = 1\n")
    return tmp_path


async def edit(client: Client, old: str, new: str) -> Any:
    done = await client.call_tool("replace_text", {"path": "a.py", "old_string": old, "new_string": new})
    return done.structured_content


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_standard_input_and_output(project: Path, mode: str) -> None:
    wanted = StdioServerParameters(command=INLAY, args=["mcp", "--root", str(project)], cwd="/")

    async def run() -> Any:
        async with Client(stdio_client(wanted), mode=mode) as client:
            assert len((await client.list_tools()).tools) >= 9
            return [await edit(client, "x = 1", "x = 2"), await edit(client, "x = 1", "x = 2")]

    done, again = anyio.run(run)
    assert done["kind"] == "applied"
    assert again["kind"] == "unchanged"
    assert (project / "a.py").read_text() == "x = 2\n"


def test_a_terminated_server_ends_as_one_and_leaves_nothing(project: Path) -> None:
    command = [INLAY, "mcp", "--root", str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        server.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode() + b"\n"
        )
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "inlay"
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) == 143
    assert not (project / ".inlay/pending").exists()


def test_the_server_takes_back_what_an_earlier_one_left_half_done(project: Path) -> None:
    killing = (
        "import os, signal, sys\n"
        "from inlay.storage.state import syscalls\n"
        "from inlay.tools import Toolbox\n"
        "def before(call):\n"
        "    if call == 'exchange': before.seen += 1\n"
        "    if before.seen == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
        "before.seen = 0\n"
        "syscalls.before = before\n"
        "patch = '--- a/a.py\\n+++ b/a.py\\n@@ -1 +1 @@\\n-x = 1\\n+x = 2\\n"
        "--- a/b.py\\n+++ b/b.py\\n@@ -1 +1 @@\\n-y = 1\\n+y = 2\\n'\n"
        "Toolbox(sys.argv[1]).call('write_patch', {'patch': patch})\n"
    )
    (project / "b.py").write_text("y = 1\n")
    killed = subprocess.run([sys.executable, "-c", killing, str(project)])
    assert killed.returncode == -signal.SIGKILL
    assert (project / "a.py").read_text() == "x = 2\n"
    done = subprocess.run([INLAY, "mcp", "--root", str(project)], stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0
    assert (project / "a.py").read_text() == "x = 1\n"
    assert (project / "b.py").read_text() == "y = 1\n"


def test_a_server_that_is_sent_nonsense_goes_on(project: Path) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    read = {"name": "read_file", "arguments": {"path": "a.py"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode(),
        *(b"not json", b"[]", b"\xff\xfe", b"[" * 5000, b'{"jsonrpc": "2.0", "id": 2, "method": "nope"}'),
        b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "read_file", "arguments": [1]}}',
        b'{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "\\ud800"}}',
        json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": read}).encode(),
    ]
    command = [INLAY, "mcp", "--root", str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"\n".join(lines) + b"\n")
        server.stdin.flush()
        answer: dict[str, Any] = {}
        while answer.get("id") != 5:
            answer = json.loads(server.stdout.readline())
        server.stdin.close()
    assert answer["result"]["structuredContent"]["content"] == "1 | x = 1"


@contextmanager
def served(project: Path) -> Iterator[tuple[str, int, str]]:
    """Address, port and token of a server over HTTP."""
    command = [INLAY, "mcp", "--http", "--port", "0", "--root", str(project)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"(http://127\.0\.0\.1:(\d+)/mcp)", server.stderr.readline())
        assert found
        try:
            yield found[1], int(found[2]), (project / ".inlay/mcp-token").read_text().strip()
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=20)


def request(port: int, **headers: str) -> tuple[int, str]:
    """One request by hand."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        }
    )
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", "/mcp", body, sent)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_over_http_only_with_the_token_and_only_by_our_own_name(project: Path) -> None:
    with served(project) as (address, port, secret):
        assert (project / ".inlay/mcp-token").stat().st_mode & 0o777 == 0o600
        bearer = f"Bearer {secret}"
        assert request(port)[0] == 401
        assert request(port, Authorization="Bearer wrong")[0] == 401
        assert request(port, Authorization=secret)[0] == 401
        assert request(port, Authorization=bearer)[0] == 200
        assert request(port, Authorization=bearer, Host="attacker.example")[0] in (403, 421)
        assert request(port, Authorization=bearer, Host=f"attacker.example:{port}")[0] in (403, 421)
        assert request(port, Authorization=bearer, Origin="http://attacker.example")[0] == 403

        outcomes = [anyio.run(converse, address, bearer, mode) for mode in ("legacy", "auto")]
    for listed, refused, done, decided, steps in outcomes:
        assert listed == 12
        assert refused["code"] == "not-found"
        assert done["kind"] in ("applied", "unchanged")
        assert decided["kind"] == "applied"
        assert "checking the result" in steps
    assert (project / "a.py").read_text() == "x = 2\n"
    assert (project / "AGENTS.md").read_text() == "auto\n"


async def converse(address: str, bearer: str, mode: str) -> tuple[int, Any, Any, Any, list[str | None]]:
    """All that a client does over HTTP: list, be refused, write with progress, and ask its person."""
    steps: list[str | None] = []

    async def agree(context: Any, params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"approve": True})

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    async with (
        create_mcp_http_client(headers={"Authorization": bearer}) as http_client,
        Client(
            streamable_http_client(address, http_client=http_client), mode=mode, elicitation_callback=agree
        ) as client,
    ):
        listed = len((await client.list_tools()).tools)
        refused, done = await edit(client, "no such line", "x"), await edit(client, "x = 1", "x = 2")
        guarded = {"path": "AGENTS.md", "content": f"{mode}\n"}
        decided = await client.call_tool("write_file", guarded, progress_callback=note)
        return listed, refused, done, decided.structured_content, steps


def test_a_cancelled_call_over_standard_input_leaves_all_or_nothing(project: Path) -> None:
    (project / "b.py").write_text("y = 1\n")
    hunk = "--- a/{0}.py\n+++ b/{0}.py\n@@ -1 +1 @@\n-{1} = 1\n+{1} = 2\n"
    patch = hunk.format("a", "x") + hunk.format("b", "y")
    wanted = StdioServerParameters(command=INLAY, args=["mcp", "--root", str(project)])

    async def run() -> None:
        async with Client(stdio_client(wanted), mode="legacy") as client:
            await edit(client, "nothing", "to warm it")
            for step in range(12):
                with anyio.move_on_after(0.001 * step):
                    await client.call_tool("write_patch", {"patch": patch})
                await edit(client, "nothing", "to come after it")
                found = [(project / name).read_text() for name in ("a.py", "b.py")]
                assert found in (["x = 1\n", "y = 1\n"], ["x = 2\n", "y = 2\n"])
                (project / "a.py").write_text("x = 1\n")
                (project / "b.py").write_text("y = 1\n")

    anyio.run(run)


def test_the_gate_lets_nothing_through_without_the_token() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    async def send(message: Any) -> None:
        seen.append(message.get("status", message["type"]))

    async def run() -> None:
        gate = Gate(app, "right")
        for values in ([], [b"Bearer wrong"], [b"right"], [b"Bearer right", b"Bearer right"], [b"Bearer right"]):
            headers = [(b"authorization", value) for value in values]
            await gate({"type": "http", "headers": headers}, None, send)
        await gate({"type": "lifespan"}, None, send)

    anyio.run(run)
    assert seen == [401, "http.response.body"] * 4 + ["http", "lifespan"]


def test_a_port_in_use_is_reported_and_the_token_stays(project: Path) -> None:
    first, _ = server_token(project)
    with served(project) as (_, port, second):
        assert first == second
        command = [INLAY, "mcp", "--http", "--port", str(port), "--root", str(project)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 5
        assert "cannot listen" in done.stderr


def test_a_missing_root_fails_the_call(tmp_path: Path) -> None:
    wanted = StdioServerParameters(command=INLAY, args=["mcp", "--root", str(tmp_path / "none")], env=dict(os.environ))

    async def run() -> Any:
        async with Client(stdio_client(wanted), mode="legacy") as client:
            return (await client.call_tool("history", {})).structured_content

    structured = anyio.run(run)
    assert structured["code"] == "environment"
    assert "no directory" in structured["message"]
