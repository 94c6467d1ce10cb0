"""`inlay history`: what was written, newest first."""

import json
from pathlib import Path

from .conftest import Run

CREATE = "*** Begin Patch\n*** Add File: {}\n+x = 1\n*** End Patch\n"


def test_changes_are_listed_newest_first(run: Run) -> None:
    assert run("history").out == "No changes yet.\n"
    for name in ("a.py", "b.py"):
        assert run("apply", stdin=CREATE.format(name)).code == 0
    run("undo")
    heads = [line.split() for line in run("history").out.splitlines() if line[0].isdigit()]
    assert [(head[0], head[2]) for head in heads] == [("3", "undo"), ("2", "land"), ("1", "land")]
    assert run("history", "--most", "1").out.startswith("3 ")
    found = json.loads(run("history", "--json").out)
    assert [receipt["id"] for receipt in found] == ["3", "2", "1"]
    assert found[0]["reverses"] == "2"
    assert found[2]["files"][0]["action"] == "created"


def test_a_change_that_was_cut_short_is_said_to_be_taken_back(run: Run, project: Path) -> None:
    run("apply", stdin=CREATE.format("a.py"))
    (project / ".inlay/pending/2").mkdir()
    assert "change 2 was interrupted and has been rolled back" in run("history").err
    assert run("history").err == ""
