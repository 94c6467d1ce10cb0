"""The tools of an agent: their schemas, and what each answers to a call that succeeds and to calls that do not.

How golden files are rewritten is described in `test_json_output.py`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from inlay.tools import TOOLS, Outcome, Toolbox

from .conftest import GREETING, write
from .golden import FOLDER, Collection, Normaliser, session_of

PATCH = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
BLOCK = "notes.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"


def edit(start: int, end: int, old: str, new: str) -> dict[str, Any]:
    return {"range": {"start": start, "end": end}, "oldText": old, "newText": new}


#: by tool and case, what it is called with; the last call of a list is compared, the others come before it
CALLS: dict[str, dict[str, list[tuple[str, dict[str, Any]]]]] = {
    "read_file": {
        "read": [("read_file", {"path": "notes.txt", "start": 2, "end": 3})],
        "missing": [("read_file", {"path": "none.txt"})],
        "path-outside": [("read_file", {"path": "../x"})],
        "path-protected": [("read_file", {"path": ".env"})],
        "binary": [("read_file", {"path": "logo.bin"})],
        "invalid-arguments": [("read_file", {"path": "notes.txt", "from": 3, "start": "x"})],
    },
    "apply_edits": {
        "applied": [("apply_edits", {"path": "notes.txt", "edits": [edit(2, 2, "two", "2"), edit(5, 5, "five", "5")]})],
        "not-found": [("apply_edits", {"path": "notes.txt", "edits": [edit(2, 2, "twoo", "2")]})],
        "overlap": [
            ("apply_edits", {"path": "notes.txt", "edits": [edit(1, 2, "one\ntwo", "x"), edit(2, 2, "two", "y")]})
        ],
        "changed": [("apply_edits", {"path": "notes.txt", "edits": [edit(2, 2, "two", "2")], "expect": "0" * 16})],
    },
    "replace_text": {
        "applied": [("replace_text", {"path": "notes.txt", "old_string": "two", "new_string": "2"})],
        "all": [
            (
                "replace_text",
                {"path": "src/app.py", "old_string": "return 1", "new_string": "return 2", "replace_all": True},
            )
        ],
        "ambiguous": [("replace_text", {"path": "src/app.py", "old_string": "return 1", "new_string": "return 2"})],
        "not-found": [
            ("replace_text", {"path": "src/app.py", "old_string": "def g():\n    return 3", "new_string": "x"})
        ],
        "repeated": [("replace_text", {"path": "notes.txt", "old_string": "twoo", "new_string": "2"})] * 3,
        "syntax": [("replace_text", {"path": "src/price.py", "old_string": "3", "new_string": "("})],
    },
    "write_patch": {
        "applied": [("write_patch", {"patch": PATCH})],
        "applied-before": [("write_patch", {"patch": PATCH})] * 2,
        "contaminated": [("write_patch", {"patch": f"Here it is:\n```diff\n{PATCH}```\n"})],
        "not-a-diff": [("write_patch", {"patch": "- two\n+ 2\n"})],
        "near-miss": [("write_patch", {"patch": PATCH.replace("three", "tree")})],
        "not-found": [("write_patch", {"patch": PATCH.replace("-two", "-twelve")})],
    },
    "write_file": {
        "created": [("write_file", {"path": "src/new.py", "content": "A = 1\n"})],
        "append": [("write_file", {"path": "notes.txt", "content": "six\n", "strategy": "append"})],
        "path-outside": [("write_file", {"path": "../x", "content": "A = 1\n"})],
        "syntax": [("write_file", {"path": "src/new.py", "content": "A = (\n"})],
        "needs-approval": [("write_file", {"path": "long.txt", "content": "short\n"})],
    },
    "apply_reply": {
        "applied": [("apply_reply", {"reply": BLOCK})],
        "no-edits": [("apply_reply", {"reply": "No."})],
        "truncated": [("apply_reply", {"reply": BLOCK[:-20]})],
        "unknown-format": [("apply_reply", {"reply": BLOCK, "format": "nonsense"})],
    },
    "preview": {
        "previewed": [("preview", {"tool": "apply_reply", "arguments": {"reply": BLOCK}})],
        "refused": [("preview", {"tool": "write_patch", "arguments": {"patch": "x"}})],
        "invalid-arguments": [("preview", {"tool": "undo", "arguments": {}})],
    },
    "undo": {
        "undone": [("apply_reply", {"reply": BLOCK}), ("undo", {})],
        "nothing": [("undo", {})],
        "unknown": [("undo", {"id": "99"})],
    },
    "history": {
        "listed": [("apply_reply", {"reply": BLOCK}), ("undo", {}), ("history", {"most": 5})],
        "empty": [("history", {})],
        "invalid-arguments": [("history", {"most": 0})],
    },
    "check_spec": {
        "passed": [("check_spec", {"path": "design.md"})],
        "blocked": [("check_spec", {"text": "# Nothing\n"})],
        "missing": [("check_spec", {"path": "none.md"})],
        "invalid-arguments": [("check_spec", {})],
    },
    "plan_commits": {
        "planned": [("plan_commits", {"revision": "HEAD~3..HEAD", "budget": 1000})],
        "unknown-commit": [("plan_commits", {"revision": "none"})],
    },
    "check_commits": {
        "fails": [("check_commits", {"revision": "HEAD~3..HEAD"})],
        "message": [("check_commits", {"message": "Add a thing\n"})],
        "unknown-commit": [("check_commits", {"revision": "none"})],
    },
    "none": {"unknown-tool": [("none", {})]},
}


def sample(pattern: Path, root: Path) -> Path:
    shutil.copytree(pattern, root)
    write(root, {"design.md": (GREETING / "design.md").read_text(), "greet/hello.py": "", "conftest.py": ""})
    return root


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.usefixtures("environment")
def test_outcomes_are_as_in_the_golden_files(tool: str, pattern: Path, tmp_path: Path) -> None:
    golden = Collection("tools", tool)
    for case, calls in CALLS[tool].items():
        root = sample(pattern, tmp_path / case / "project")
        box = Toolbox(root)
        outcome = [box.call(name, arguments) for name, arguments in calls][-1]
        normaliser = Normaliser.of(root.parent)
        if outcome.plan:
            normaliser.name(outcome.plan, "<plan>")
        golden.compare(
            f"{tool}/{case}",
            {"is_error": outcome.is_error, "structured": normaliser.value(outcome.structured)},
        )
    golden.finish()


@pytest.mark.usefixtures("environment")
def test_plans_are_as_in_the_golden_files(pattern: Path, tmp_path: Path) -> None:
    golden = Collection("tools", "plans")
    box = Toolbox(sample(pattern, tmp_path / "project"))
    normaliser = Normaliser.of(tmp_path)

    def compare(case: str, outcome: Outcome) -> None:
        structured = normaliser.value(outcome.structured)
        golden.compare(f"plans/{case}", {"is_error": outcome.is_error, "structured": structured})

    plan = box.call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert plan
    normaliser.name(plan, "<plan>")
    compare("waiting", box.waiting(plan, "write_file"))
    golden.compare("plans/question", {"text": normaliser.text(box.question(plan)).splitlines()})
    compare("carried-out", box.carry_out(plan))
    compare("carried-out-before", box.carry_out(plan))
    box.call("undo", {})
    dropped = box.call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert dropped
    normaliser.name(dropped, "<plan>")
    compare("dropped", box.drop(dropped))
    golden.finish()


def test_definitions_are_as_in_the_golden_files(tmp_path: Path) -> None:
    golden = Collection("tools", "definitions")
    for tool in TOOLS.values():
        about = {field.name: getattr(tool, field.name) for field in fields(tool) if field.name != "run"}
        golden.compare(f"{tool.name}/definition", {**about, "annotations": asdict(tool.annotations)})
    box = Toolbox(tmp_path)
    golden.compare("definitions/anthropic", {"tools": box.anthropic()})
    golden.compare("definitions/openai", {"tools": box.openai()})
    plain = [{key: value for key, value in tool.items() if not callable(value)} for tool in box.langchain()]
    golden.compare("definitions/langchain", {"tools": plain})
    golden.finish()


_MESSAGES: list[dict[str, Any]] = [
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "golden", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
    {"id": 3, "method": "prompts/list"},
    {"id": 4, "method": "resources/list"},
    {"id": 5, "method": "resources/templates/list"},
    {"id": 6, "method": "tools/call", "params": {"name": "read_file", "arguments": {"path": "notes.txt"}}},
    {"id": 7, "method": "tools/call", "params": {"name": "read_file", "arguments": {"path": "../x"}}},
    {"id": 8, "method": "tools/call", "params": {"name": "none", "arguments": {}}},
    {"id": 9, "method": "nonsense"},
]


@pytest.mark.slow
def test_the_server_answers_as_in_the_golden_files(project: Path, tmp_path: Path) -> None:
    golden = Collection("tools", "server")
    command = [sys.executable, "-m", "inlay", "mcp", "--root", str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        assert server.stdin
        assert server.stdout
        for message in _MESSAGES:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            if "id" in message:
                answer = Normaliser.of(tmp_path).value(json.loads(server.stdout.readline()))
                golden.compare(f"server/{message['id']}-{message['method'].replace('/', '-')}", {"answer": answer})
        server.stdin.close()
    golden.finish()


def test_every_tool_has_a_case_that_succeeds_and_one_that_does_not() -> None:
    ends: dict[str, set[bool]] = {}
    for file in sorted((FOLDER / "tools").glob("*/*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        if file.parent.name in TOOLS and "is_error" in record:
            ends.setdefault(file.parent.name, set()).add(record["is_error"])
    assert ends == {name: {True, False} for name in TOOLS}


def test_every_golden_file_belongs_to_a_test() -> None:
    files = (FOLDER / "tools").glob("*/*.json")
    assert {session_of(file) for file in files} == {*CALLS, "plans", "definitions", "server"}
