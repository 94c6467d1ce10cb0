"""Whatever a tool is called with: an outcome and never an exception, nothing outside the root, nothing in part."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.tools import TOOLS, Toolbox

pytestmark = pytest.mark.slow

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
FILES = {
    "a.py": b"def f():\n    return 1\n\n\ndef g():\n    return 1\n",
    "docs/b.md": b"# T\n\n```\nx\n```\n",
    "crlf.txt": b"one\r\ntwo\r\nthree",
    "legacy.txt": b"f\xfcr\nmich\n",
    "empty.txt": b"",
}
NAMES = [
    *FILES,
    "new.py",
    "docs/new.md",
    "../out.txt",
    "/etc/passwd",
    ".git/config",
    ".env",
    "docs",
    "",
    "a.py/x",
    "\0",
    "~",
]
PIECES = [
    *"\n \t{}[]<>@+-*#`\\\"'",
    *("def f():\n", "    return 1\n", "-def f():\n", "+def h():\n", "     return 1\n", "one\r\n", "...", "a.py\n"),
    *(
        "@@ -1,2 +1,2 @@\n",
        "--- a/a.py\n+++ b/a.py\n",
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n",
        "+++ /dev/null\n",
    ),
    *("*** Begin Patch\n", "*** Update File: a.py\n", "*** Add File: new.py\n", "*** End Patch\n"),
    *("<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "```diff\n", "<tool_call>"),
    *("ü", "\ud800", "\0", "\u202e"),
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30)
PATHS = st.sampled_from(NAMES) | TEXT
LINES = st.integers(-2, 12) | st.integers() | st.floats(allow_nan=True)
JUNK = st.recursive(
    st.none() | st.booleans() | LINES | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def valid(schema: Mapping[str, Any], name: str = "") -> st.SearchStrategy[Any]:
    """Values that a schema allows, or nearly."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "string":
            return PATHS if name == "path" else TEXT
        case "integer":
            return LINES
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(valid(schema["items"]), min_size=1, max_size=4)
        case "object" if "properties" in schema:
            return of_object(schema)
        case _:
            return st.dictionaries(st.sampled_from(["path", "patch", "content", "edits"]), JUNK, max_size=3)


def of_object(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    known = {name: valid(inner, name) for name, inner in schema["properties"].items()}
    required = {name: known[name] for name in schema["required"]}
    return st.fixed_dictionaries(
        required, optional={name: each for name, each in known.items() if name not in required}
    )


@st.composite
def calls(draw: st.DrawFn, *, is_valid: bool) -> tuple[str, Any]:
    name = draw(st.sampled_from(sorted(TOOLS)))
    arguments = draw(of_object(TOOLS[name].input_schema))
    if is_valid:
        return name, arguments
    for key in draw(st.lists(st.sampled_from([*arguments, "extra"]), max_size=3)):
        if draw(st.booleans()):
            arguments[key] = draw(JUNK)
        else:
            arguments.pop(key, None)
    return name, draw(st.just(arguments) | JUNK)


def build(base: Path) -> Path:
    root = base / "project"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (base / "out.txt").write_bytes(b"outside")
    return root


def tree(base: Path) -> dict[str, bytes]:
    found = (path for path in base.rglob("*") if ".inlay" not in path.parts and path.is_file())
    return {path.relative_to(base).as_posix(): path.read_bytes() for path in found}


def judge(sequence: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        base = Path(folder)
        box = Toolbox(build(base))
        for name, arguments in sequence:
            before = tree(base)
            outcome = box.call(name, arguments)
            json.dumps(outcome.structured).encode()
            outcome.text.encode()
            assert outcome.structured.get("code") != "internal", (name, arguments, outcome)
            after = tree(base)
            changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
            named = {f"project/{path}" for path in _named(outcome.structured)}
            assert changed == (set() if outcome.is_error else named), (name, arguments, outcome)


def _named(structured: dict[str, Any]) -> set[str]:
    """The files that an outcome says have changed."""
    if structured["kind"] == "undone":
        return {file["path"] for file in structured["change"]["files"]}
    if structured["kind"] != "applied":
        return set()
    changed = [file for file in structured["files"] if file["action"] != "unchanged"]
    return {path for file in changed for path in (file["path"], file["move_to"]) if path}


@given(st.lists(calls(is_valid=True), min_size=1, max_size=3))
def test_fuzz_with_arguments_that_fit(sequence: list[tuple[str, Any]]) -> None:
    judge(sequence)


@given(st.lists(calls(is_valid=False), min_size=1, max_size=3))
def test_fuzz_with_arguments_that_do_not(sequence: list[tuple[str, Any]]) -> None:
    judge(sequence)
