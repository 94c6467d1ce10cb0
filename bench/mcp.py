"""The server against its bars: start, overhead of a call, memory over many calls, many clients on one project."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

BARE = """\
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def tools(ctx, params):
    return types.ListToolsResult(tools=[])

async def main():
    server = Server("bare", on_list_tools=tools)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
MOST_START = 1.3  # times a bare server
MOST_OVERHEAD = 5.0  # milliseconds
MOST_GROWTH = 2.0  # MB over the calls after the first ones


class Server:
    """A server process, spoken to line by line, so that no client library is measured with it."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._id = 0
        self.ask("initialize", HELLO)
        self.answered = time.perf_counter() - self.started
        self._send({"method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdout is not None
        self._id += 1
        self._send({"id": self._id, "method": method, "params": params})
        while line := self._process.stdout.readline():
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._id:
                result: dict[str, Any] = answer["result"]
                return result
        raise RuntimeError("the server is gone")

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = self.ask("tools/call", {"name": name, "arguments": arguments})["structuredContent"]
        return told

    @property
    def cpu(self) -> float:
        """Seconds that the process has worked, whatever else the machine did meanwhile."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 1e6

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def inlay(root: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("inlay")), "mcp", "--root", str(root)]


def start(root: Path, runs: int) -> dict[str, Any]:
    """Seconds from the start of the process to its first answer, the quickest of several runs taken in turns."""
    took: dict[str, list[float]] = {"bare": [], "inlay": []}
    for _ in range(runs):
        for name, command in (("bare", [sys.executable, "-c", BARE]), ("inlay", inlay(root))):
            server = Server(command, root)
            took[name].append(server.answered)
            server.close()
    quickest = {name: min(each) for name, each in took.items()}
    return {**quickest, "ratio": quickest["inlay"] / quickest["bare"], "bar": MOST_START}


def _toggled(number: int) -> tuple[str, str]:
    return ("value = 1", "value = 2") if number % 2 == 0 else ("value = 2", "value = 1")


def overhead(root: Path, calls: int) -> dict[str, Any]:
    """Milliseconds of a call beyond what the engine takes for the same edit in the same process state."""
    from inlay import Workspace, land

    file = root / "a.py"
    file.write_text("value = 1\n" + "x = 0\n" * 200)
    workspace = Workspace(root)
    reply = "a.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    engine, tool, cpu = [], [], 0.0
    server = Server(inlay(root), root)
    server.call("read_file", {"path": "a.py"})
    worked = server.cpu
    for number in range(calls):
        # In turns, so that the growth of the log and whatever else the machine does count for both.
        old, new = _toggled(2 * number)
        began, busy = time.perf_counter(), time.process_time()
        land(reply.format(old, new), workspace)
        cpu += time.process_time() - busy
        engine.append(time.perf_counter() - began)
        began = time.perf_counter()
        told = server.call("replace_text", {"path": "a.py", "old_string": new, "new_string": old})
        tool.append(time.perf_counter() - began)
        assert told["kind"] == "applied", told
    per_call = {"engine_cpu_ms": cpu / calls * 1e3, "tool_cpu_ms": (server.cpu - worked) / calls * 1e3}
    server.close()
    medians = {"engine_ms": statistics.median(engine) * 1e3, "tool_ms": statistics.median(tool) * 1e3}
    # By time at work: on a machine that others use as well, the clock mostly measures them.
    beyond = per_call["tool_cpu_ms"] - per_call["engine_cpu_ms"]
    return {**medians, **per_call, "overhead_ms": beyond, "bar": MOST_OVERHEAD}


def memory(root: Path, calls: int) -> dict[str, Any]:
    """Megabytes that the server grows by over many calls, after the first ones have warmed it."""
    (root / "m.py").write_text("value = 1\n")
    server = Server(inlay(root), root)
    first = 0.0
    for number in range(calls + 200):
        old, new = _toggled(number)
        server.call("replace_text", {"path": "m.py", "old_string": old, "new_string": new})
        server.call("read_file", {"path": "m.py"})
        server.call("write_patch", {"patch": f"nonsense {number}"})
        if number == 200:
            first = server.megabytes
    last = server.megabytes
    server.close()
    return {"calls": 3 * calls, "first_mb": first, "last_mb": last, "growth_mb": last - first, "bar": MOST_GROWTH}


def clients(root: Path, count: int, edits: int) -> dict[str, Any]:
    """What is lost when many clients, each with a server of its own, edit one file at once."""
    (root / "shared.txt").write_text("".join(f"client {c} edit {e}\n" for c in range(count) for e in range(edits)))

    def work(client: int) -> list[dict[str, Any]]:
        server = Server(inlay(root), root)
        try:
            return [
                server.call(
                    "replace_text",
                    {
                        "path": "shared.txt",
                        "old_string": f"client {client} edit {edit}\n",
                        "new_string": f"done {client} {edit}\n",
                    },
                )
                for edit in range(edits)
            ]
        finally:
            server.close()

    began = time.perf_counter()
    with ThreadPoolExecutor(count) as pool:
        told = [each for results in pool.map(work, range(count)) for each in results]
    found = (root / "shared.txt").read_text().splitlines()
    lost = [line for line in found if not line.startswith("done ")]
    failed = [each.get("message") for each in told if each["kind"] != "applied"]
    seconds = time.perf_counter() - began
    return {"clients": count, "edits": len(told), "lost": len(lost), "failed": failed, "seconds": seconds}


def main(argv: Sequence[str]) -> int:
    """Print every figure; 0 when all bars are cleared."""
    parser = argparse.ArgumentParser(prog="python -m bench mcp", description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="starts of each server (default %(default)s)")
    parser.add_argument("--calls", type=int, default=1000, help="calls for the memory (default %(default)s)")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    told: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="inlay-bench-") as folder:
        root = Path(folder)
        told["start"] = start(root, options.runs)
        told["overhead"] = overhead(root, 200)
        told["memory"] = memory(root, options.calls // 3)
        told["clients"] = clients(root, options.clients, 10)
    print(json.dumps(told, indent=None if options.json else 2))
    passed = (
        told["start"]["ratio"] <= MOST_START
        and told["overhead"]["overhead_ms"] <= MOST_OVERHEAD
        and told["memory"]["growth_mb"] <= MOST_GROWTH
        and not told["clients"]["lost"]
        and not told["clients"]["failed"]
    )
    return 0 if passed else 1
