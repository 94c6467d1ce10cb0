"""`inlay undo` and `inlay redo`: what was written is taken back, and put in place again."""

import json
from pathlib import Path

import pytest

from .conftest import Run

REPLY = "notes.txt\n<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n"


@pytest.fixture
def landed(run: Run) -> None:
    assert run("apply", stdin=REPLY).code == 0


@pytest.mark.usefixtures("landed")
def test_the_last_change_is_taken_back_and_put_in_place_again(run: Run, project: Path) -> None:
    done = run("undo")
    assert (done.code, done.err) == (0, "")
    assert "~ notes.txt updated" in done.out
    assert "Done: change 1 was undone. This is change 2." in done.out
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    done = run("redo")
    assert "Done: undo 2 was reverted. This is change 3." in done.out
    assert (project / "notes.txt").read_text() == "one\nthree\n"


@pytest.mark.usefixtures("landed")
def test_for_programs(run: Run, project: Path) -> None:
    receipt = json.loads(run("undo", "1", "--json", "-C", str(project)).out)
    assert (receipt["id"], receipt["kind"], receipt["reverses"]) == ("2", "undo", "1")
    assert [(file["path"], file["action"]) for file in receipt["files"]] == [("notes.txt", "updated")]
    assert json.loads(run("redo", "--json").out)["reverses"] == "2"


@pytest.mark.usefixtures("landed")
def test_later_work_is_not_lost(run: Run, project: Path) -> None:
    (project / "notes.txt").write_text("by hand\n")
    done = run("undo")
    assert done.code == 4
    assert "notes.txt (line 1) changed since" in done.err
    assert "--force" in done.err
    record = json.loads(run("undo", "--json").out)
    assert record["status"] == "needs-decision"
    assert record["lost"] == [{"path": "notes.txt", "lines": [[1, 1]], "problem": ""}]
    assert (project / "notes.txt").read_text() == "by hand\n"


@pytest.mark.usefixtures("landed")
def test_later_work_may_be_given_up(run: Run, project: Path) -> None:
    (project / "notes.txt").write_text("by hand\n")
    assert run("undo", "--force").code == 0
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    run("undo", "2")
    assert (project / "notes.txt").read_text() == "by hand\n"


def test_later_changes_of_other_lines_are_kept(run: Run, project: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(9))
    (project / "notes.txt").write_text(lines)
    reply = "notes.txt\n<<<<<<< SEARCH\nline 2\n=======\nline two\n>>>>>>> REPLACE\n"
    assert run("apply", stdin=reply).code == 0
    assert run("apply", stdin=reply.replace("2", "7").replace("two", "seven")).code == 0
    done = run("undo", "1")
    assert done.code == 0
    assert "notes.txt: later changes of other lines were kept" in done.err
    assert (project / "notes.txt").read_text() == lines.replace("line 7", "line seven")
    assert run("redo").code == 0
    assert (project / "notes.txt").read_text() == lines.replace("line 7", "line seven").replace("line 2", "line two")


@pytest.mark.usefixtures("landed")
def test_a_file_that_is_back_already_is_undone_without_a_step(run: Run, project: Path) -> None:
    (project / "notes.txt").write_text("one\ntwo\n")
    done = run("undo")
    assert (done.code, done.out) == (0, "Done: change 1 was undone. This is change 2.\n")
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    assert run("undo", "1").code == 4


def test_nothing_to_undo_or_redo(run: Run) -> None:
    assert run("undo").code == 4
    assert "nothing to redo" in run("redo").err
    done = run("undo", "99")
    assert (done.code, done.out) == (2, "")
    assert "there is no change '99'" in done.err
