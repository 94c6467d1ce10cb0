"""What is promised about patches and edits, through the protocol, with the official client."""

from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client

from inlay.mcp_server.server import build
from inlay.tools import Toolbox

FENCE = "`" * 3
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 1\n"


def patch(root: Path, *texts: str) -> list[dict[str, Any]]:
    async def run() -> list[dict[str, Any]]:
        async with Client(build(Toolbox(root))) as client:
            return [(await client.call_tool("write_patch", {"patch": text})).structured_content for text in texts]

    return anyio.run(run)


def test_a_contaminated_patch_is_refused_and_a_document_may_hold_fences(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n")
    (tmp_path / "README.md").write_text("# T\n\ntext\n")
    added = f"+{FENCE}\n+<tool_call></tool_call>\n+{FENCE}\n"
    document = f"--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,6 @@\n # T\n \n{added} text\n"
    fenced, called, prose, clean, fences = patch(
        tmp_path,
        f"{FENCE}diff\n{PATCH}{FENCE}\n",
        f"<tool_call>\n{PATCH}</tool_call>\n",
        f"Here is the patch:\n{PATCH}",
        PATCH,
        document,
    )
    for structured, what in ((fenced, "Markdown fence"), (called, "markup"), (prose, "not part of it")):
        assert structured["code"] == "contaminated"
        assert what in structured["message"]
        assert "again as a raw unified diff" in structured["advice"]
        assert "@@ -1,3 +1,3 @@" in structured["example"]
    assert (clean["kind"], fences["kind"]) == ("applied", "applied")
    assert FENCE in (tmp_path / "README.md").read_text()


def test_a_list_is_not_a_patch(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n")
    for structured in patch(tmp_path, "- x = 1\n- y = 1\n", "change x to 2\n", "+ x = 2\n"):
        assert structured["code"] == "not-a-diff"
        assert "@@ line" in structured["advice"]
    assert (tmp_path / "a.py").read_text() == "x = 1\ny = 1\n"


def test_a_patch_lands_in_all_its_files_or_in_none(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\ny = 1\n")
    second = PATCH.replace("a.py", "b.py")
    refused, landed = patch(tmp_path, PATCH + second.replace("y = 1", "y = 7"), PATCH + second)
    assert refused["kind"] == "patch_error"
    assert landed["kind"] == "applied"
    assert [(tmp_path / name).read_text() for name in ("a.py", "b.py")] == ["x = 2\ny = 1\n"] * 2


def test_a_path_may_be_absolute_below_the_root(tmp_path: Path) -> None:
    root, name = tmp_path / "project", str(tmp_path / "project/a.py")
    root.mkdir()
    (root / "a.py").write_text("x = 1\ny = 1\n")
    (tmp_path / "b.py").write_text("x = 1\n")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("read_file", {"path": name}),
        ("replace_text", {"path": name, "old_string": "x = 1", "new_string": "x = 2"}),
        ("write_patch", {"path": name, "patch": PATCH.replace("x = 2", "x = 3").replace("x = 1", "x = 2")}),
        ("write_file", {"path": str(root / "new.py"), "content": "z = 1\n"}),
        ("read_file", {"path": str(tmp_path / "b.py")}),
        ("replace_text", {"path": str(tmp_path / "b.py"), "old_string": "x = 1", "new_string": "x = 2"}),
        ("replace_text", {"path": "lib/a.py", "old_string": "y = 1", "new_string": "y = 2"}),
    ]

    async def run() -> list[dict[str, Any]]:
        async with Client(build(Toolbox(root))) as client:
            return [(await client.call_tool(*call)).structured_content for call in calls]

    read, replaced, patched, written, *outside, guessed = anyio.run(run)
    assert (read["path"], replaced["files"][0]["path"]) == ("a.py", "a.py")
    assert [done["kind"] for done in (replaced, patched, written)] == ["applied"] * 3
    assert [refused["code"] for refused in outside] == ["path-outside"] * 2
    assert guessed["files"][0]["adapted"] == ["lib/a.py read as a.py"]
    assert (root / "a.py").read_text() == "x = 3\ny = 2\n"
    assert (tmp_path / "b.py").read_text() == "x = 1\n"
