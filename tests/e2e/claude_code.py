"""Claude Code itself, offline: a scripted model on this machine, our server by `inlay mcp install`, a changed file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from node_programs import program

sys.path.insert(0, str(Path(__file__).parents[1]))

from loopback import Loopback, Reply
from loopback.seen import Seen

INLAY = str(Path(sys.executable).with_name("inlay"))
OPTIONS = (
    *("--mcp-config", ".mcp.json", "--strict-mcp-config"),
    *("--allowedTools", "mcp__inlay__write_patch", "--model", "claude-test"),
)
CALLS = [
    ("write_patch", {"patch": "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n"}),
    ("write_patch", {"patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"}),
]


def main() -> int:
    """Let Claude Code make one wrong and one right call; 0 when the file is changed and the refusal was read."""
    claude = program("@anthropic-ai/claude-code", "claude")
    with tempfile.TemporaryDirectory() as folder, Loopback(Model()) as server:
        home, root = Path(folder, "home"), Path(folder, "project")
        home.mkdir()
        root.mkdir()
        (root / "a.py").write_text("x = 1\n")
        install = [INLAY, "mcp", "install", "--client", "claude-code", "--yes"]
        subprocess.run(install, cwd=root, check=True, capture_output=True)
        done = subprocess.run(
            [claude, "-p", "Set x to 2.", *OPTIONS],
            cwd=root,
            env=_environment(home, server),
            capture_output=True,
            text=True,
            timeout=180,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        assert (root / "a.py").read_text() == "x = 2\n", done.stdout
        results = [result for seen in server.seen for result in _results(seen)]
        assert any("contaminated" in result for result in results), results
        assert any("This is change 1." in result for result in results), results
    print(f"Claude Code called {len(CALLS)} times, read a refusal, and the file is changed")
    return 0


def _environment(home: Path, server: Loopback) -> dict[str, str]:
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1"}
    return {"PATH": os.environ["PATH"], "HOME": str(home), **quiet, **server.environ("anthropic")}


class Model:
    """A model that makes the calls one after the other, in every conversation that has our tool."""

    def __call__(self, seen: Seen) -> Reply:
        tools = [tool["name"] for tool in seen.body.get("tools", ())]
        ours = [name for name in tools if name.endswith("write_patch")]
        if not ours and "WaitForMcpServers" in tools:
            return _calling(seen.model, "WaitForMcpServers", {}, f"wait_{seen.number}")
        made = len(_results(seen))
        if not ours or made >= len(CALLS):
            return Reply("Done.")
        _, arguments = CALLS[made]
        return _calling(seen.model, ours[0], arguments, f"ours_{made}")


def _results(seen: Seen) -> list[str]:
    """What came back from our own tool."""
    blocks = [block for turn in seen.body["messages"] if isinstance(turn["content"], list) for block in turn["content"]]
    return [json.dumps(block["content"]) for block in blocks if "ours_" in str(block.get("tool_use_id"))]


def _calling(model: str, tool: str, arguments: dict[str, Any], id: str) -> Reply:
    """A streamed answer that is one call of a tool."""
    usage = {"input_tokens": 10, "output_tokens": 10}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    block = {"type": "tool_use", "id": f"toolu_{id}", "name": tool, "input": {}}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    events = [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Reply(body=body.encode(), headers={"Content-Type": "text/event-stream"})


if __name__ == "__main__":
    sys.exit(main())
