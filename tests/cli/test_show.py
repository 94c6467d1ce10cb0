"""`inlay show`: what one change did."""

import base64
import json
from pathlib import Path

from .conftest import Run

PATCH = (
    "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** Update File: notes.txt\n*** Move to: kept.txt\n@@\n one\n-two\n"
    "+three\n*** End Patch\n"
)


def test_a_change_is_shown_as_a_difference(run: Run, project: Path) -> None:
    assert run("apply", stdin=PATCH).code == 0
    shown = run("show", "1").out
    for line in ("  + new.py created", "+x = 1", "--- a/notes.txt", "+++ b/kept.txt", "-two", "+three", "/dev/null"):
        assert line in shown
    told = json.loads(run("show", "1", "--json").out)
    moved = next(file for file in told["files"] if file["action"] == "moved")
    assert base64.b64decode(moved["before_content"]) == b"one\ntwo\n"
    assert base64.b64decode(moved["after_content"]) == b"one\nthree\n"


def test_a_dropped_backup_is_said_to_be_dropped(run: Run, project: Path) -> None:
    run("apply", stdin=PATCH)
    (project / ".inlay/backups/1.pack").unlink()
    assert "no diff: the backup was deleted" in run("show", "1").out
    assert json.loads(run("show", "1", "--json").out)["files"][0]["lost"]


def test_an_unknown_change(run: Run) -> None:
    assert run("show", "1").code == 2
    assert run("show").code == 2
