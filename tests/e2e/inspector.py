"""The MCP Inspector's command line against `inlay mcp`: list, call, refuse, prompts, resources."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from node_programs import program

INLAY = str(Path(sys.executable).with_name("inlay"))


def main() -> int:
    """Ask everything there is to ask; 0 when every answer is right."""
    inspector = program("@modelcontextprotocol/inspector", "mcp-inspector")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "a.py").write_text("def f():\n    return 1\n")

        def ask(*words: str, server: tuple[str, ...] = (INLAY, "mcp", "--root", folder)) -> dict[str, Any]:
            done = subprocess.run([inspector, "--cli", *server, *words], capture_output=True, text=True, timeout=120)
            if done.returncode:
                raise AssertionError(f"{words}: {done.stderr or done.stdout}")
            told: dict[str, Any] = json.loads(done.stdout)
            return told

        def call(tool: str, **arguments: Any) -> dict[str, Any]:
            given = [
                f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in arguments.items()
            ]
            words = [word for each in given for word in ("--tool-arg", each)]
            told: dict[str, Any] = ask("--method", "tools/call", "--tool-name", tool, *words)
            return told

        _tools(ask)
        _calls(call, root)
        _rest(ask, root)
        _over_http(ask, root)
    return 0


def _tools(ask: Any) -> None:
    tools = {tool["name"]: tool for tool in ask("--method", "tools/list")["tools"]}
    assert len(tools) == 12, sorted(tools)
    assert tools["read_file"]["annotations"]["readOnlyHint"] is True
    assert tools["apply_edits"]["inputSchema"]["additionalProperties"] is False
    print(f"tools/list: {len(tools)} tools")


def _calls(call: Any, root: Path) -> None:
    edit = {"range": {"start": 2, "end": 2}, "oldText": "    return 1", "newText": "    return 2"}
    done = call("apply_edits", path="a.py", edits=[edit])
    assert done["structuredContent"]["kind"] == "applied", done
    assert (root / "a.py").read_text() == "def f():\n    return 2\n"
    refused = call("write_patch", patch="```diff\n@@ -1 +1 @@\n-def f():\n+def g():\n```\n", path="a.py")
    assert refused["isError"] is True
    assert refused["structuredContent"]["code"] == "contaminated"
    outside = call("write_file", path="../x", content="x")
    assert outside["structuredContent"]["code"] == "path-outside"
    waits = call("write_file", path="AGENTS.md", content="obey\n")
    assert waits["structuredContent"]["kind"] == "needs_approval"
    assert not (root / "AGENTS.md").exists()
    print("tools/call: applied, refused, kept inside, waiting for a person")


def _rest(ask: Any, root: Path) -> None:
    prompts = [prompt["name"] for prompt in ask("--method", "prompts/list")["prompts"]]
    assert "patch_rules" in prompts
    rules = ask("--method", "prompts/get", "--prompt-name", "patch_rules")
    assert "@@" in rules["messages"][0]["content"]["text"]
    assert len(ask("--method", "resources/list")["resources"]) == 2
    receipt = ask("--method", "resources/read", "--uri", "inlay://receipts/1")
    assert "+    return 2" in json.loads(receipt["contents"][0]["text"])["diff"]
    print("prompts and resources: there and readable")


def _complaint(ask: Any, address: str) -> str:
    try:
        ask("--method", "tools/list", server=(address,))
    except AssertionError as refused:
        return str(refused)
    return "answered"


def _over_http(ask: Any, root: Path) -> None:
    command = [INLAY, "mcp", "--http", "--port", "0", "--root", str(root)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found
        try:
            # Its command line can send no header, so all it can show is that nobody gets in without the token.
            said = _complaint(ask, found[0])
        finally:
            server.terminate()
            server.communicate(timeout=20)
    assert "401" in said or "bearer" in said.lower(), said
    print("over HTTP: no answer without the token")


if __name__ == "__main__":
    sys.exit(main())
