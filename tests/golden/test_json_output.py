"""What every command prints with `--json`, compared with golden files, so that a move of the code cannot change it.

Each function marked `@session` is a scripted session in a copy of one sample repository. Every command in it is a case
`<command>/<name>`, whose golden file `json/<command>/<name>.json` has the arguments, the exit code, the output and the
error stream. Times, durations, ports and paths of the machine are replaced by placeholders.

After a change of behaviour that is wanted, rewrite the golden files of this folder and review the difference:

    INLAY_UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/golden
    git diff tests/golden

The tests of this folder import only the faces of the package (`inlay`, `inlay.cli.main`, `inlay.tools`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from inlay.cli.main import cli
from inlay.tools import Toolbox
from loopback import FileServer, Loopback, replies

from .conftest import Session, write
from .golden import FOLDER, session_of
from .samples import (
    APP,
    DIFF,
    FIND_REPLACE,
    JSON_EDITS,
    LONG,
    MOVE,
    OLD,
    PATCH,
    RIGHT,
    UPDATE,
    block,
    cut_short,
    files_recorded,
    lay_out_design,
    set_test_command,
    whole,
)

SESSIONS: dict[str, Callable[[Session], None]] = {}
#: commands that print JSON without having the option
_WITHOUT_OPTION = {"engine"}


def session(script: Callable[[Session], None]) -> Callable[[Session], None]:
    SESSIONS[script.__name__] = script
    return script


# --- replies --------------------------------------------------------------------------------------------------------


@session
def apply(session: Session) -> None:
    def refused(case: str, reply: str, *options: str) -> None:
        session.run("apply", "--json", *options, case=f"apply/refused-{case}", stdin=reply)

    session.run("apply", "--json", "--dry-run", case="apply/dry-run", stdin=UPDATE)
    session.run("apply", "--json", case="apply/applied", stdin=UPDATE)
    session.run("apply", "--json", case="apply/unchanged", stdin=block("notes.txt", "three", "three"))
    session.call("undo")
    session.run("apply", "--json", case="apply/patch-of-three-files", stdin=PATCH)
    session.call("undo")
    shifted = block("src/app.py", "  def g():\n      return 1", "  def g():\n      return 2")
    session.run("apply", "--json", case="apply/adapted", stdin=f"I changed it:\n\n```\n{shifted}```\nDone.\n")
    session.call("undo")
    session.run("apply", "--json", "--strict", case="apply/refused-wrapped", stdin=f"<reply>\n{PATCH}</reply>\n")
    (session.tmp / "reply.md").write_text(DIFF)
    session.run("apply", "--json", str(session.tmp / "reply.md"), case="apply/from-a-file")
    session.run(
        "apply", "--json", case="apply/mixed", stdin=block("notes.txt", "2", "two") + "\n" + whole("b.py", "b = 1\n")
    )

    refused("no-edits", "I would rather not.\n")
    refused("empty", "")
    refused("not-found", block("notes.txt", "twoo", "2"))
    refused("not-found-with-nearest", block("src/app.py", "def g():\n    return 3", "def g():\n    return 4"))
    refused("ambiguous", block("src/app.py", "    return 1", "    return 9") + block("src/price.py", "x = 1", "y"))
    refused("malformed", "notes.txt\n<<<<<<< SEARCH\ntwo\n2\n>>>>>>> REPLACE\n")
    refused("truncated", "notes.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n")
    refused("nul", "notes.txt\n<<<<<<< SEARCH\n\0\n=======\n2\n>>>>>>> REPLACE\n")
    refused("overlap", block("notes.txt", "one\ntwo", "1\n2") + block("notes.txt", "two\nthree", "2\n3"))
    refused("missing", block("none.txt", "two", "2"))
    refused("exists", "*** Begin Patch\n*** Add File: notes.txt\n+x\n*** End Patch\n")
    refused("path-outside", block("../outside.txt", "two", "2"))
    refused("path-absolute", block("/etc/hosts", "two", "2"))
    refused("path-protected", block(".git/config", "two", "2"))
    refused("binary", block("logo.bin", "two", "2"))
    refused("syntax", block("src/price.py", "PRICE = 3", "PRICE = ("))
    refused("elided", whole("src/app.py", "def f():\n    return 5\n\n# ... rest of the code unchanged ...\n"))
    refused("conflict-marker", whole("src/price.py", "PRICE = 1\n<<<<<<< HEAD\nA = 1\n=======\nA = 2\n>>>>>>> x\n"))
    refused("range", '{"path": "notes.txt", "edits": [{"range": {"start": 90, "end": 95}, "newText": "x"}]}')
    refused("format", UPDATE, "--format", "unified_diff")
    session.run(
        "apply", "--json", "--no-check", case="apply/unchecked", stdin=block("src/price.py", "PRICE = 3", "PRICE = (")
    )
    session.run(
        "apply",
        "--json",
        "--file",
        "notes.txt",
        case="apply/file-named",
        stdin="<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n",
    )
    session.run("apply", "--feedback", case="apply/feedback", stdin=block("notes.txt", "twoo", "2"))


@session
def apply_usage(session: Session) -> None:
    session.run("apply", "--json", str(session.tmp / "none.md"), case="apply/usage-no-such-file")
    session.run("apply", "--json", "--nonsense", case="apply/usage-no-such-option", stdin=UPDATE)
    session.run("apply", "--json", "--format", "nonsense", case="apply/usage-no-such-format", stdin=UPDATE)
    session.run("apply", "--json", "-C", "none", case="apply/usage-no-such-root", stdin=UPDATE)


@session
def apply_decisions(session: Session) -> None:
    long = "*** Begin Patch\n*** Update File: notes.txt\n@@\n-two\n+2\n*** Delete File: long.txt\n*** End Patch\n"
    asked = session.run("apply", "--json", case="apply/needs-decision", stdin=long)
    session.run("apply", "--json", "--yes", case="apply/needs-decision-too-large-for-yes", stdin=long)
    replaced = whole("long.txt", LONG).replace("python", "text")
    session.run("apply", "--json", case="apply/needs-decision-large-replacement", stdin=replaced)
    session.run(
        "apply", "--json", case="apply/needs-decision-protected", stdin=whole(".github/workflows/ci.yml", "on: push\n")
    )
    session.run("apply", "--json", case="apply/needs-decision-bidi", stdin=block("notes.txt", "one", "one \u202e"))
    file = session.tmp / "decisions.json"

    def decided(case: str, decisions: object, reply: str = long) -> None:
        file.write_text(json.dumps(decisions))
        session.run("apply", "--json", "--decisions", str(file), case=f"apply/decisions-{case}", stdin=reply)

    decided("malformed", {"decisions": [{"pth": "long.txt"}]})
    decided("about-another-file", {"decisions": [{"path": "none.txt"}]})
    decided("about-another-digest", {"digest": "0" * 64, "decisions": [{"path": "*"}]})
    decided("abort", {"decisions": [{"path": "long.txt", "verdict": "abort"}]})
    decided("skip", {"digest": asked["digest"], "decisions": [{"path": "long.txt", "verdict": "skip"}]})
    decided("append", {"decisions": [{"path": "long.txt", "strategy": "append"}]}, replaced)
    session.call("undo")
    decided("approve", {"decisions": [{"path": "*"}]}, replaced)
    session.run(
        "apply",
        "--json",
        "--force",
        case="apply/forced",
        stdin="*** Begin Patch\n*** Delete File: long.txt\n*** End Patch\n",
    )


@session
def writing(session: Session) -> None:
    session.run("write", "--json", "src/fresh.py", case="write/created", stdin="A = 1\n")
    session.run("write", "--json", "src/fresh.py", case="write/unchanged", stdin="A = 1\n")
    session.run("write", "--json", "src/fresh.py", "--dry-run", case="write/dry-run", stdin="A = 2\n")
    session.run("write", "--json", "notes.txt", "--strategy", "append", case="write/append", stdin="six\n")
    session.run(
        "write", "--json", "notes.txt", "--strategy", "insert", "--line", "2", case="write/insert", stdin="1.5\n"
    )
    method = "class Basket:\n    def add(self):\n        self.items += 1\n"
    session.run("write", "--json", "src/basket.py", "--strategy", "extend", case="write/extend", stdin=method)
    session.run(
        "write",
        "--json",
        "src/basket.py",
        "--strategy",
        "extend",
        case="write/extend-again",
        stdin=method.replace("1", "2"),
    )
    session.run(
        "write",
        "--json",
        "src/basket.py",
        "--strategy",
        "extend",
        "--replace-existing",
        case="write/extend-replacing",
        stdin=method.replace("1", "2"),
    )
    session.run("write", "--json", "notes.txt", "--strategy", "insert", case="write/usage-no-line", stdin="x\n")
    session.run(
        "write",
        "--json",
        "notes.txt",
        "--strategy",
        "insert",
        "--line",
        "99",
        case="write/refused-line-outside",
        stdin="x\n",
    )
    session.run(
        "write", "--json", "notes.txt", "--strategy", "extend", case="write/refused-not-extendable", stdin="x\n"
    )
    session.run("write", "--json", "src/app.py", case="write/refused-syntax", stdin="def f(:\n")
    session.run("write", "--json", "../outside.txt", case="write/refused-path-outside", stdin="x\n")
    session.run("write", "--json", ".env", case="write/refused-path-protected", stdin="KEY=1\n")
    session.run("write", "--json", "src", case="write/refused-directory", stdin="x\n")
    session.run("write", "--json", "long.txt", case="write/needs-decision", stdin="short\n")
    session.run("write", "--json", "long.txt", "--force", case="write/forced", stdin="short\n")
    session.run("write", "--json", case="write/usage-no-path", stdin="x\n")


@session
def parse(session: Session) -> None:
    wordings = {
        "search-replace": UPDATE,
        "apply-patch": PATCH + "",
        "unified-diff": DIFF,
        "find-replace": FIND_REPLACE,
        "json-edits": JSON_EDITS,
        "whole-file": whole("src/app.py", APP),
        "moved": MOVE.format("notes.txt", "memo.txt", "two", "2"),
        "refused-no-edits": "Nothing.\n",
        "refused-truncated": "notes.txt\n<<<<<<< SEARCH\ntwo\n",
        "refused-malformed": "notes.txt\n<<<<<<< SEARCH\ntwo\n2\n>>>>>>> REPLACE\n",
    }
    for case, reply in wordings.items():
        session.run("parse", "--json", case=f"parse/{case}", stdin=reply)
    session.run("parse", "--json", "--format", "unified_diff", case="parse/refused-other-format", stdin=UPDATE)
    session.run("parse", "--json", "--strict", case="parse/refused-wrapped", stdin=f"<reply>\n{PATCH}</reply>\n")
    session.run("parse", "--json", str(session.tmp / "none.md"), case="parse/usage-no-such-file")


@session
def engine(session: Session) -> None:
    requests = [
        {"id": 1, "path": "notes.txt", "original": "one\ntwo\n", "response": UPDATE},
        {"id": 2, "path": "notes.txt", "original": "one\n2\n", "response": UPDATE},
        {"id": 3, "path": "notes.txt", "original": "one\n", "response": UPDATE},
        {"id": 4, "path": "notes.txt", "original": None, "response": whole("notes.txt", "x\n")},
        {"id": 5, "path": "a.py", "original": "a = 1\n", "response": block("a.py", "a = 1", "a = (")},
        {"id": 6},
    ]
    lines = "".join(json.dumps(request) + "\n" for request in requests) + "no JSON\n"
    session.run("engine", case="engine/requests", stdin=lines)
    session.run("engine", "--check", case="engine/checked", stdin=lines)
    session.run("engine", "--nonsense", case="engine/usage")


# --- history --------------------------------------------------------------------------------------------------------


@session
def history(session: Session) -> None:
    session.run("history", "--json", case="history/empty")
    session.run("undo", "--json", case="undo/nothing-yet")
    session.run("redo", "--json", case="redo/nothing-yet")
    session.run("show", "1", "--json", case="show/unknown")
    session.run("log", "--json", case="log/empty")
    session.run("log", "--json", "--verify", case="log/verify-empty")
    session.run("gc", "--json", case="gc/empty")
    session.run("recover", "--json", case="recover/nothing")
    session.call("apply", stdin=PATCH)
    session.call("write", "--strategy", "append", "notes.txt", stdin="six\n")
    session.call(
        "apply",
        stdin=MOVE.format("src/new.py", "src/moved.py", "NEW = 1", "NEW = 2"),
    )
    session.run("history", "--json", case="history/three-changes")
    session.run("history", "--json", "-n", "1", case="history/newest")
    session.run("history", "--json", "-C", "none", case="history/usage-no-such-root")
    session.run("show", "1", "--json", case="show/change")
    session.run("show", "3", "--json", case="show/move")
    session.run("undo", "1", "--json", case="undo/stale")
    session.run("undo", "--json", case="undo/newest")
    session.run("redo", "--json", case="redo/newest")
    session.run("redo", "--json", case="redo/nothing-left")
    session.run("undo", "2", "--json", case="undo/named")
    session.run("undo", "2", "--json", case="undo/again")
    session.run("undo", "99", "--json", case="undo/unknown")
    session.run("undo", "nonsense", "--json", case="undo/no-number")
    session.run("show", "4", "--json", case="show/undo")
    session.call("apply", stdin=block("../x", "a", "b"))
    session.call("write", "long.txt", stdin="short\n")
    session.run("log", "--json", case="log/records")
    session.run("log", "--json", "--verify", case="log/verify")
    session.run("gc", "--json", "--older-than", "0", "--larger-than", "1K", case="gc/everything")
    session.run("gc", "--json", "--larger-than", "nonsense", case="gc/usage")
    session.run("show", "1", "--json", case="show/backup-gone")
    session.run("undo", "5", "--json", case="undo/backup-gone")
    (log,) = [path for path in (session.root / ".inlay/log").iterdir() if b"proposal" in path.read_bytes()]
    log.write_bytes(log.read_bytes().replace(b'"intent"', b'"intend"', 1))
    session.run("log", "--json", "--verify", case="log/verify-damaged")
    session.run("apply", "--json", case="apply/log-damaged", stdin=block("notes.txt", "three", "3"))
    session.run("log", "--json", "--restart", case="log/restart")
    session.run("log", "--json", case="log/restarted")


@session
def recover(session: Session) -> None:
    cut_short(session.root)
    session.run("recover", "--json", case="recover/restored")
    cut_short(session.root)
    changed = [name for name in ("notes.txt", "src/price.py") if session.git("status", "--short", name)]
    session.write({changed[0]: "by hand\n"})
    session.run("recover", "--json", case="recover/left")
    session.run("log", "--json", case="log/recovered")
    session.run("recover", "--json", "-C", "none", case="recover/usage-no-such-root")


@session
def approve(session: Session) -> None:
    box = Toolbox(session.root)

    def put_off(name: str, text: str = "short\n") -> str:
        plan = box.call("write_file", {"path": "long.txt", "content": text}).plan
        assert plan
        session.normaliser.name(plan, f"<{name}>")
        return plan

    session.run("approve", "--json", case="approve/none")
    session.run("approve", "--json", "nonsense", case="approve/unknown")
    first = put_off("first plan")
    session.run("approve", "--json", case="approve/list")
    session.run("approve", "--json", first, "--show", case="approve/show")
    session.run("approve", "--json", first, case="approve/needs-decision")
    session.run("approve", "--json", first, "--yes", case="approve/approved")
    session.run("approve", "--json", first, "--yes", case="approve/approved-before")
    session.call("undo")
    session.run("approve", "--json", put_off("second plan"), "--deny", case="approve/denied")
    third = put_off("third plan")
    session.write({"long.txt": "changed\n" * 150})
    session.run("approve", "--json", third, "--yes", case="approve/stale")
    session.run("log", "--json", case="log/plans")


# --- about the program ----------------------------------------------------------------------------------------------


@session
def catalogue(session: Session) -> None:
    session.run("formats", "--json", case="formats/all")
    session.run("formats", "search_replace", "--json", case="formats/one")
    session.run("formats", "nonsense", "--json", case="formats/unknown")
    names = session.run("prompt", "--json", case="prompt/names")
    for each in names:
        session.run("prompt", each["name"], "--json", case=f"prompt/{each['name']}")
    session.run("prompt", "nonsense", "--json", case="prompt/unknown")
    task = ("-m", "let f return 2", "--file", "src/app.py", "--context", "notes.txt", "--format", "find_replace")
    session.run("prompt", names[0]["name"], *task, "--json", case="prompt/about-files")
    session.run("prompt", names[0]["name"], "--file", "../x", "--json", case="prompt/path-outside")


@session
def settings(session: Session) -> None:
    session.run("config", "--json", case="config/defaults")
    session.write({".inlay.toml": 'max_attempts = 9\nmodel = "recorded:x"\nedit_lines = 10\nnonsense = 1\n'})
    session.write({"pyproject.toml": "[tool.inlay]\nmax_cost = 1.5\n[tool.inlay.commits]\npreset = 'conventional'\n"})
    write(session.tmp / "home/.config/inlay", {"config.toml": 'model = "ollama:qwen3"\nmax_cost = 0.5\n'})
    session.environment.setenv("INLAY_MAX_TOKENS", "1000")
    session.run("config", "--json", case="config/from-everywhere")
    session.run("config", "max_tokens", "--json", case="config/one")
    session.run("config", "max_token", "--json", case="config/unknown")
    session.environment.setenv("INLAY_MAX_TOKENS", "many")
    session.run("config", "--json", case="config/wrong-value")


@session
def models(session: Session) -> None:
    session.run("models", "--json", "--known", case="models/known")
    session.run("models", "--json", case="models/none")
    session.run("models", "--json", "--no-probe", "--model", "openai:gpt-5", case="models/named")
    session.run("models", "--json", "--no-probe", "--model", "nonsense", case="models/no-such-provider")
    session.run("models", "--json", "--nonsense", case="models/usage")
    with Loopback() as server:
        session.allow(server)
        for name, value in (server.environ("anthropic") | {"OLLAMA_HOST": server.url}).items():
            session.environment.setenv(name, value)
        session.run("models", "--json", case="models/probed")


@session
def pulled_models(session: Session) -> None:
    data = b"GGUF" + b"\0" * 100
    digest = hashlib.sha256(data).hexdigest()
    session.run("model", "list", "--json", case="model-list/none")
    session.run("model", "pull", "--json", "nonsense", case="model-pull/unknown")
    session.run("model", "pull", "--json", "mine", "--from", "http://x.invalid/m.gguf", case="model-pull/usage-no-hash")
    with FileServer({"/mine.gguf": data}) as server:
        session.allow(server)
        address = f"{server.url}/mine.gguf"
        session.run(
            "model", "pull", "--json", "mine", "--from", address, "--sha256", "0" * 64, case="model-pull/wrong-hash"
        )
        session.run("model", "pull", "--json", "mine", "--from", address, "--sha256", digest, case="model-pull/pulled")
    session.run("model", "list", "--json", case="model-list/one")
    session.run("model", "list", "--json", "--nonsense", case="model-list/usage")
    session.run("models", "--json", "--no-probe", case="models/pulled")
    session.run("model", "remove", "--json", "mine", case="model-remove/removed")
    session.run("model", "remove", "--json", "mine", case="model-remove/unknown")
    session.run("model", "remove", "--json", "../mine", case="model-remove/path-outside")


@session
def mcp(session: Session) -> None:
    install = ("mcp", "install", "--json", "--client")
    session.run(*install, "cursor", case="mcp-install/needs-decision")
    session.run(*install, "cursor", "--yes", case="mcp-install/written")
    session.run(*install, "cursor", "--yes", case="mcp-install/unchanged")
    session.run(*install, "nonsense", "--yes", case="mcp-install/usage")
    session.write({".vscode/mcp.json": '{\n  // a comment\n  "servers": {}\n}\n', ".mcp.json": '{"theme": "dark"}\n'})
    session.run(*install, "vscode", "--yes", case="mcp-install/with-comments")
    session.run(*install, "claude-code", "--yes", case="mcp-install/backed-up")
    session.run(*install, "codex", "--scope", "user", "--yes", case="mcp-install/user")
    session.run("mcp", "doctor", "--json", "--client", "gemini", case="mcp-doctor/not-installed")
    write(session.root, {".gemini/settings.json": '{"mcpServers": {"inlay": {"command": "false"}}}'})
    session.run("mcp", "doctor", "--json", "--client", "gemini", case="mcp-doctor/no-answer")
    session.run("mcp", "doctor", "--json", "--client", "cursor", case="mcp-doctor/answers")


# --- design documents -----------------------------------------------------------------------------------------------


@session
def spec(session: Session) -> None:
    lay_out_design(session)
    session.run("spec", "check", "design.md", "--json", case="spec-check/passed")
    session.run("spec", "check", "design.md", "blocked.md", "--json", case="spec-check/blocked")
    session.run("spec", "check", "blocked.md", "--format", "sarif", case="spec-check/sarif")
    session.run("spec", "check", "none.md", "--json", case="spec-check/no-such-file")
    session.run("spec", "show", "design.md", "--json", case="spec-show/design")
    session.run("spec", "show", "blocked.md", "--json", case="spec-show/blocked")
    session.run("spec", "show", "none.md", "--json", case="spec-show/no-such-file")


@session
def implement(session: Session) -> None:
    lay_out_design(session)
    set_test_command(session)
    session.run("runs", "--json", case="runs/none")
    session.run("resume", "--json", case="resume/nothing")
    session.run("resume", "1", "--json", case="resume/unknown")
    session.run("runs", "show", "1", "--json", case="runs-show/unknown")
    session.run("implement", "none.md", "--json", case="implement/usage-no-such-file")
    session.run("implement", "design.md", "--json", case="implement/no-model")
    session.run("resume", "1", "--json", case="resume/no-model")
    model = files_recorded(session)
    session.run("implement", "blocked.md", "--json", "--model", model, case="implement/blocked")
    session.run("implement", "design.md", "--json", "--model", model, case="implement/green")
    session.run("runs", "--json", case="runs/some")
    session.run("runs", "--json", "-n", "nonsense", case="runs/usage")
    session.run("runs", "show", "2", "--json", case="runs-show/blocked")
    session.run("runs", "show", "3", "--json", case="runs-show/green")
    session.run("resume", "3", "--json", case="resume/ended")
    session.run("stats", "--json", case="stats/implement")


@session
def implement_decisions(session: Session) -> None:
    padding = "".join(f"# a line of its own, number {number}\n" for number in range(120))
    lay_out_design(session, **{"greet/hello.py": padding + OLD})
    set_test_command(session)
    long = {
        "label": "implement:code:greet/hello.py",
        "text": whole("greet/hello.py", padding.replace("number", "no.") + RIGHT["greet/hello.py"]),
    }
    model = files_recorded(session, long)
    session.run("implement", "design.md", "--json", "--model", model, case="implement/waiting")
    session.run("runs", "--json", case="runs/waiting")
    session.run("runs", "show", "1", "--json", case="runs-show/waiting")
    session.run("resume", "1", "--json", case="resume/waiting")
    session.run("resume", "1", "--json", "--approve", "--deny", case="resume/usage")
    session.run("resume", "1", "--json", "--approve", case="resume/approved")
    failing = {"label": "implement:code:greet/names.py", "error": {"kind": "permanent", "message": "no such key"}}
    for name in ("greet/names.py", "greet/words.py"):
        (session.root / name).unlink()
    session.write({"greet/hello.py": padding + OLD})
    model = files_recorded(session, failing, long)
    session.run("implement", "design.md", "--json", "--model", model, case="implement/provider-failed")
    files_recorded(session, long)
    session.run("resume", "2", "--json", "--deny", case="resume/interrupted")
    session.run("resume", "2", "--json", "--deny", case="resume/denied")


# --- models ---------------------------------------------------------------------------------------------------------


@session
def edit(session: Session) -> None:
    right = {"text": whole("src/app.py", APP)}

    def run(
        case: str, *entries: dict[str, object], options: tuple[str, ...] = ("src/app.py",), price: bool = True
    ) -> None:
        model = session.recording(*entries, price=price)
        session.run("edit", *options, "-m", "let f return 2", "--json", "--model", model, case=f"edit/{case}")

    session.run("stats", "--json", case="stats/none")
    session.run("edit", "src/app.py", "-m", "x", "--json", case="edit/no-model")
    session.run("edit", "src/app.py", "-m", "x", "--json", "--model", "nonsense", case="edit/no-such-provider")
    session.run(
        "edit", "src/app.py", "-m", "x", "--json", "--model", "recorded:none.jsonl", case="edit/no-such-recording"
    )
    session.run("edit", "-m", "x", "--json", case="edit/usage-no-file")
    run("path-outside", right, options=("../x.py",))
    run("dry-run", right, options=("src/app.py", "--dry-run"))
    run("applied", right)
    session.call("undo")
    run("applied-without-price", right, price=False)
    session.call("undo")
    run("committed", right, options=("src/app.py", "--commit"))
    run("second-attempt", {"text": "I would rather not."}, {"text": whole("src/app.py", APP.replace("2", "3"))})
    run("by-edits", {"text": FIND_REPLACE}, options=("notes.txt", "--mode", "edits", "--format", "find_replace"))
    wrong = {"text": block("notes.txt", "twoo", "2")}
    by_blocks = ("notes.txt", "--mode", "edits", "--format", "search_replace", "--max-attempts", "2")
    run("attempts-spent", wrong, wrong, options=by_blocks)
    run(
        "outside-task",
        {"text": block("src/app.py", "return 2", "return 4")},
        options=(*by_blocks, "--max-attempts", "1"),
    )
    run("refusal", {"text": "No.", "stop": "refused"}, options=("src/app.py", "--max-attempts", "1"))
    cut = {"text": whole("src/app.py", APP)[:-20], "stop": "truncated"}
    run("truncated", cut, options=("src/app.py", "--max-attempts", "1"))
    run("provider-failed", {"error": {"kind": "permanent", "message": "no such key", "status": 401}})
    run("recording-used-up", {"label": "other", "text": "x"})
    run("check-failed", right, options=("src/app.py", "--check", "false", "--max-attempts", "1"))
    run("limit-reached", wrong, wrong, options=("notes.txt", "--max-tokens", "130"))
    run("needs-decision", {"text": whole("long.txt", LONG)}, options=("long.txt",))
    session.run("stats", "--json", case="stats/edits")
    session.run("stats", "--json", "--since", "nonsense", case="stats/usage")


@session
def edit_over_the_wire(session: Session) -> None:
    about = "context = 200000\nmax_output = 8192\ninput_price = 3.0\noutput_price = 15.0\n"
    models = "".join(f'[models."{name}"]\n{about}' for name in ("anthropic:claude-test", "openai:gpt-test"))
    write(session.tmp / "home/.config/inlay", {"config.toml": models})
    for wire, model in (("anthropic", "anthropic:claude-test"), ("openai", "openai:gpt-test")):
        answers = (replies.prose(), whole("src/app.py", APP), replies.failed(401, "no such key"))
        with Loopback(*answers) as server:
            session.allow(server)
            for name, value in server.environ(wire).items():
                session.environment.setenv(name, value)
            arguments = ("edit", "src/app.py", "-m", "let f return 2", "--json", "--model", model)
            session.run(*arguments, case=f"edit/{wire}-second-attempt")
            session.call("undo")
            session.run(*arguments, case=f"edit/{wire}-failed")


def verdict(commit: str, *issues: dict[str, str], **more: object) -> dict[str, object]:
    return {"id": commit[:12], "summary": "It adds something.", "issues": list(issues), "suggestion": None, **more}


@session
def commits_check(session: Session) -> None:
    check = ("commits", "check", "--json")
    session.run(*check, "HEAD~3..HEAD", case="commits-check/fails")
    session.run(*check, "HEAD~3", case="commits-check/passes")
    session.run(*check, "HEAD~3..HEAD", "--preset", "conventional", case="commits-check/preset")
    session.run(*check, "none", case="commits-check/unknown-revision")
    session.run(*check, "HEAD", "--preset", "nonsense", case="commits-check/usage")
    (session.tmp / "message").write_text("Add a thing \n\nfor it\n# a comment\n")
    session.run(*check, "--message", str(session.tmp / "message"), case="commits-check/message")
    session.run("commits", "check", "HEAD~3..HEAD", "--format", "sarif", case="commits-check/sarif")
    session.run(*check, "HEAD~3", "--ai", case="commits-check/no-model")
    ids = session.git("rev-list", "--reverse", "HEAD~2..HEAD").split()
    issue = {"rule": "leaves-out", "severity": "error", "explanation": "It hides the logo."}
    said = {"commits": [verdict(ids[0]), verdict(ids[1], issue, suggestion="Add a price and a logo")]}
    judged = session.recording({"text": json.dumps(said)})
    session.run(*check, "HEAD~2..HEAD", "--ai", "--model", judged, case="commits-check/judged")
    silent = session.recording(*[{"text": "I cannot say."}] * 6, name="silent.jsonl")
    session.run(*check, "HEAD~3", "--ai", "--model", silent, case="commits-check/unchecked")
    session.run("stats", "--json", case="stats/commits")
    session.write({".gitlint": "[general]\nignore=title-trailing-punctuation\n"})
    session.run(*check, "HEAD", case="commits-check/gitlint")
    (session.tmp / "bare").mkdir()
    session.run(*check, "HEAD", "-C", str(session.tmp / "bare"), case="commits-check/no-repository")


@session
def commits_plan(session: Session) -> None:
    plan = ("commits", "plan", "--json")
    session.run(*plan, "HEAD~3..HEAD", "--budget", "5000", case="commits-plan/range")
    session.run(*plan, "HEAD", case="commits-plan/usage-no-budget")
    session.run(*plan, "HEAD~3", "--budget", "200", case="commits-plan/cut")
    session.run(
        *plan, "HEAD~3..HEAD", "--ignore", "docs/", "--model", "anthropic:claude-sonnet-4-5", case="commits-plan/priced"
    )
    session.run(*plan, "none", case="commits-plan/unknown-revision")
    session.run(*plan, "HEAD", "--budget", "x", case="commits-plan/usage")


@session
def commits_amend(session: Session) -> None:
    amend = ("commits", "amend", "--json")
    undo = ("commits", "undo", "--json")
    session.run(*undo, case="commits-undo/nothing")
    session.run(*undo, "--list", case="commits-undo/empty-list")
    session.run("commits", "recover", "--json", case="commits-recover/nothing")
    session.run("commits", "recover", "--json", "-C", "none", case="commits-recover/usage")
    session.run(*amend, "HEAD", "-m", "Added a price.", case="commits-amend/unchanged")
    session.run(*amend, "HEAD~1", "-m", "Add a manual", case="commits-amend/needs-decision")
    session.run(*amend, "HEAD~1", "-m", "Add a manual", "--dry-run", case="commits-amend/dry-run")
    session.run(*amend, "HEAD~1", "-m", "Add a manual", "--yes", case="commits-amend/rewritten")
    session.run(*undo, "--list", case="commits-undo/list")
    session.run(*undo, case="commits-undo/undone")
    session.run(*undo, case="commits-undo/again")
    session.run(*undo, "99", case="commits-undo/unknown")
    session.run(*amend, "none", "-m", "x", "--yes", case="commits-amend/unknown-revision")
    session.run(*amend, "HEAD~2..HEAD", "-m", "x", "--yes", case="commits-amend/usage")
    messages = session.tmp / "messages.json"
    ids = session.git("rev-list", "--reverse", "HEAD~2..HEAD").split()
    messages.write_text(json.dumps([{"commit": ids[0], "message": "Add a manual"}]))
    session.run(*amend, "--from", str(messages), "--dry-run", case="commits-amend/from-a-file")
    messages.write_text("[1]")
    session.run(*amend, "--from", str(messages), "--yes", case="commits-amend/malformed-file")
    session.run(*amend, "HEAD~1", "--yes", case="commits-amend/no-model")
    said = [{"id": commit[:12], "summary": "s", "message": f"Add part {number}"} for number, commit in enumerate(ids)]
    model = session.recording({"text": json.dumps({"commits": said})})
    session.run(*amend, "HEAD~2..HEAD", "--model", model, "--dry-run", case="commits-amend/by-a-model")
    session.git("update-ref", "refs/remotes/origin/main", "HEAD")
    session.run(*amend, "HEAD", "-m", "Add a price", "--yes", case="commits-amend/pushed")
    session.run(*amend, "HEAD", "-m", "Add a price", "--yes", "--allow-pushed", case="commits-amend/pushed-allowed")


@session
def commits_draft(session: Session) -> None:
    draft = ("commits", "draft", "--json")
    said = {"commits": [{"id": "staged", "summary": "s", "message": "Count from two\n\nOne is taken."}]}
    model = session.recording({"text": json.dumps(said)})
    session.run(*draft, "--model", model, case="commits-draft/nothing-staged")
    session.write({"notes.txt": "two\n", "logo.bin": "\0\2"})
    session.git("add", ".")
    session.run(*draft, case="commits-draft/no-model")
    session.run(*draft, "--model", model, case="commits-draft/drafted")
    silent = session.recording(*[{"text": "I cannot say."}] * 6, name="silent.jsonl")
    session.run(*draft, "--model", silent, case="commits-draft/attempts-spent")
    session.run(*draft, "--nonsense", case="commits-draft/usage")


@session
def commits_hooks(session: Session) -> None:
    install = ("commits", "install-hooks", "--json")
    write(session.root / ".git/hooks", {"commit-msg": "#!/bin/sh\nexit 0\n"})
    (session.root / ".git/hooks/commit-msg").chmod(0o755)
    session.run(*install, "--draft", case="commits-install-hooks/installed")
    session.run(*install, "--draft", case="commits-install-hooks/again")
    session.run(*install, "--remove", case="commits-install-hooks/removed")
    (session.tmp / "bare").mkdir()
    session.run(*install, "-C", str(session.tmp / "bare"), case="commits-install-hooks/no-repository")


# --- the tests ---


@pytest.mark.parametrize("name", SESSIONS)
def test_output_is_as_in_the_golden_files(name: str, session: Session) -> None:
    SESSIONS[name](session)
    session.golden.finish()


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command and subcommand by the words that call it."""
    yield "-".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))


def cases() -> list[Path]:
    return sorted((FOLDER / "json").glob("*/*.json"))


def test_every_command_with_json_has_a_golden_case() -> None:
    wanted = {name for name, command in commands(cli) if any("--json" in option.opts for option in command.params)}
    assert {case.parent.name for case in cases()} == wanted | _WITHOUT_OPTION


def test_every_command_has_a_case_that_succeeds_and_one_that_does_not() -> None:
    codes: dict[str, set[bool]] = {}
    for case in cases():
        codes.setdefault(case.parent.name, set()).add(json.loads(case.read_text())["exit_code"] == 0)
    assert not {name for name, ends in codes.items() if ends != {True, False}}


def test_every_golden_file_belongs_to_a_session() -> None:
    assert {session_of(case) for case in cases()} == SESSIONS.keys()


def test_golden_files_name_no_path_of_a_machine() -> None:
    forbidden = re.compile(
        r"(?<!<tmp>)/(?:tmp|home|root|work|Users|private|var/folders|usr/lib|opt)/|pytest-of-|\.venv"
    )
    for file in sorted(path for path in FOLDER.rglob("*") if path.suffix in (".json", ".txt")):
        assert not forbidden.search(file.read_text(encoding="utf-8")), file
