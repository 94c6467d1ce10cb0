"""A server that dies in the middle of a tool call leaves all files old or all new."""

from pathlib import Path

import pytest
import scene

from inlay.tools import Toolbox

pytestmark = pytest.mark.slow

ENOUGH = 400
PATCH = """\
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-old a
+new a
--- a/b.py
+++ b/b.py
@@ -1 +1 @@
-old b
+new b
--- /dev/null
+++ b/new/deep/x.txt
@@ -0,0 +1 @@
+new x
diff --git a/src/c.py b/lib/d.py
rename from src/c.py
rename to lib/d.py
--- a/src/c.py
+++ b/lib/d.py
@@ -1 +1 @@
-old c
+new c
"""


def call(root: Path) -> None:
    """What a client's call comes to; syntax is another matter."""
    outcome = Toolbox(root).call("write_patch", {"patch": PATCH.replace(".py", ".txt")})
    assert outcome.structured["kind"] == "applied", outcome.text


def build(root: Path) -> None:
    for path in root.rglob("*.py"):
        path.rename(path.with_suffix(".txt"))


def put_off(root: Path) -> None:
    assert Toolbox(root).call("write_file", {"path": "AGENTS.md", "content": "x\n"}).plan


def carry_out(root: Path) -> None:
    box = Toolbox(root)
    plan = box.call("write_file", {"path": "AGENTS.md", "content": "x\n"}).plan
    assert plan
    assert box.carry_out(plan).structured["kind"] == "applied"


@pytest.mark.parametrize(("action", "stride"), [(call, 1), (put_off, 1), (carry_out, 3)])
def test_killed_at_any_moment_of_a_call(action: scene.Action, stride: int) -> None:
    before, after = scene.undisturbed(build), scene.undisturbed(build, action)
    with scene.folder() as base:
        copies = scene.Copies(base, build)
        for number in range(1, ENOUGH, stride):
            root = copies.fresh()
            died = scene.killed_before(number, action, root)
            scene.recover(root)
            assert scene.tree(root) in (before, after), f"killed before call {number}"
            assert scene.left_behind(root) == [], f"killed before call {number}"
            Toolbox(root).call("history", {})
            if not died:
                break
        assert 10 < number < ENOUGH
        assert scene.tree(root) == after
