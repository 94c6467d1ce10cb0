"""Undo keeps what was changed since, in other lines; where it cannot, it says which lines."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inlay import Change, ChangeSet, RepoPath, StaleFile, Workspace
from inlay.tools import Toolbox

LINES = "".join(f"line {number}\n" for number in range(1, 13))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(LINES)
    (tmp_path / "b.txt").write_text(LINES)
    return tmp_path


def write(project: Path, name: str, text: str | None, move_to: str | None = None) -> str:
    workspace, path = Workspace(project), RepoPath(name)
    target = RepoPath(move_to) if move_to else None
    return workspace.commit(ChangeSet((Change(path, workspace.read(path), text, move_to=target),))).id


def edit(project: Path, name: str, number: int) -> str:
    return write(project, name, (project / name).read_text().replace(f"line {number}\n", f"LINE {number}\n"))


def text(*changed: int) -> str:
    return "".join(f"{'LINE' if number in changed else 'line'} {number}\n" for number in range(1, 13))


def undo_fails(project: Path, number: str) -> StaleFile:
    files = {path: path.read_bytes() for path in project.glob("[!.]*.*")}
    with pytest.raises(StaleFile) as caught:
        Workspace(project).undo(number)
    assert {path: path.read_bytes() for path in project.glob("[!.]*.*")} == files
    return caught.value


def test_an_older_change_is_undone_below_newer_ones(project: Path) -> None:
    edit(project, "a.txt", 2)
    edit(project, "a.txt", 6)
    edit(project, "a.txt", 10)
    receipt = Workspace(project).undo("2")
    assert (project / "a.txt").read_text() == text(2, 10)
    assert receipt.notes == ("a.txt: later changes of other lines were kept",)
    (contents,) = Workspace(project).contents(receipt.id)
    assert (contents.before, contents.after) == (text(2, 6, 10).encode(), text(2, 10).encode())


def test_an_undo_that_merged_can_be_undone_and_redone(project: Path) -> None:
    edit(project, "a.txt", 2)
    (project / "a.txt").write_text(text(2, 10))
    workspace = Workspace(project)
    workspace.undo()
    assert (project / "a.txt").read_text() == text(10)
    (project / "a.txt").write_text(text(6, 10))
    workspace.redo()
    assert (project / "a.txt").read_text() == text(2, 6, 10)
    workspace.undo()
    assert (project / "a.txt").read_text() == text(6, 10)


def test_lines_of_the_change_that_changed_again_are_named(project: Path) -> None:
    edit(project, "a.txt", 2)
    (project / "a.txt").write_text(text(2, 10).replace("LINE 2", "other 2"))
    error = undo_fails(project, "1")
    assert "a.txt (line 2) changed since; nothing was written; with --force" in str(error)
    assert [(str(work.path), work.lines) for work in error.lost] == [("a.txt", ((2, 2),))]


def test_force_restores_only_the_lines_in_conflict(project: Path) -> None:
    edit(project, "a.txt", 2)
    (project / "a.txt").write_text(text(2, 10).replace("LINE 2", "other 2"))
    Workspace(project).undo("1", force=True)
    assert (project / "a.txt").read_text() == text(10)


def test_all_files_are_undone_or_none(project: Path) -> None:
    workspace = Workspace(project)
    both = [Change(RepoPath(name), workspace.read(RepoPath(name)), text(2)) for name in ("a.txt", "b.txt")]
    workspace.commit(ChangeSet(tuple(both)))
    (project / "a.txt").write_text(text(2, 10))
    (project / "b.txt").write_text(text().replace("line 2", "other 2"))
    assert [str(work.path) for work in undo_fails(project, "1").lost] == ["b.txt"]
    (project / "b.txt").write_text(text())
    receipt = workspace.undo("1")
    assert [(str(file.path), file.action) for file in receipt.files] == [("a.txt", "updated")]
    assert ((project / "a.txt").read_text(), (project / "b.txt").read_text()) == (text(10), text())


def test_a_new_file_that_was_edited_is_not_deleted(project: Path) -> None:
    number = write(project, "new.txt", "one\n")
    (project / "new.txt").write_text("one\ntwo\n")
    assert "new.txt changed since" in str(undo_fails(project, number))
    Workspace(project).undo(number, force=True)
    assert not (project / "new.txt").exists()


def test_a_deleted_file_that_was_made_again_is_not_overwritten(project: Path) -> None:
    number = write(project, "a.txt", None)
    (project / "a.txt").write_text("another\n")
    assert "a.txt changed since" in str(undo_fails(project, number))
    (project / "a.txt").write_text(LINES)
    assert Workspace(project).undo(number).files == ()


def test_a_moved_file_that_was_edited_moves_back_with_its_edits(project: Path) -> None:
    number = write(project, "a.txt", text(2), move_to="c.txt")
    (project / "c.txt").write_text(text(2, 10))
    receipt = Workspace(project).undo(number)
    assert not (project / "c.txt").exists()
    assert (project / "a.txt").read_text() == text(10)
    assert [(str(file.path), file.action, str(file.source)) for file in receipt.files] == [("a.txt", "moved", "c.txt")]
    Workspace(project).redo()
    assert (project / "c.txt").read_text() == text(2, 10)
    assert not (project / "a.txt").exists()


def test_a_moved_file_does_not_move_back_onto_another_one(project: Path) -> None:
    number = write(project, "a.txt", text(2), move_to="c.txt")
    (project / "c.txt").write_text(text(2, 10))
    (project / "a.txt").write_text("another\n")
    assert {str(work.path) for work in undo_fails(project, number).lost} == {"a.txt", "c.txt"}


def test_a_new_file_that_was_moved_on_is_not_taken_for_gone(project: Path) -> None:
    number = write(project, "new.txt", "one\n")
    moved = write(project, "new.txt", "one\n", move_to="newer.txt")
    assert f"new.txt changed since, by change {moved}" in str(undo_fails(project, number))


def test_a_result_that_does_not_parse_is_refused(project: Path) -> None:
    comments = "# a\n# b\n# c\n"
    (project / "a.py").write_text(comments)
    number = write(project, "a.py", "if True:\n    pass\n" + comments)
    (project / "a.py").write_text("if True:\n    pass\n" + comments + "else:\n    pass\n")
    error = undo_fails(project, number)
    assert error.lost[0].lines == ()
    assert "syntax" in error.lost[0].problem
    Workspace(project).undo(number, force=True)
    assert (project / "a.py").read_text() == comments + "else:\n    pass\n"


def test_a_file_that_did_not_parse_before_is_undone(project: Path) -> None:
    (project / "a.py").write_text("x = 1\n\n\ny = (\n")
    number = write(project, "a.py", "x = 2\n\n\ny = (\n")
    (project / "a.py").write_text("x = 2\n\n\ny = [(\n")
    Workspace(project).undo(number)
    assert (project / "a.py").read_text() == "x = 1\n\n\ny = [(\n"


def test_binary_files_are_not_merged(project: Path) -> None:
    number = edit(project, "a.txt", 2)
    (project / "a.txt").write_bytes(b"\0" + text(2, 10).encode())
    assert [work.lines for work in undo_fails(project, number).lost] == [()]


def test_mode_line_endings_and_byte_order_mark_stay(project: Path) -> None:
    data = b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode()
    (project / "a.txt").write_bytes(data)
    edit_crlf = Workspace(project).read(RepoPath("a.txt"))
    assert edit_crlf is not None
    after = edit_crlf.text.replace("line 2\r", "LINE 2\r")
    Workspace(project).commit(ChangeSet((Change(RepoPath("a.txt"), edit_crlf, after),)))
    (project / "a.txt").write_bytes((project / "a.txt").read_bytes().replace(b"line 10", b"LINE 10"))
    os.chmod(project / "a.txt", 0o755)
    Workspace(project).undo()
    assert (project / "a.txt").read_bytes() == data.replace(b"line 10", b"LINE 10")
    assert (project / "a.txt").stat().st_mode & 0o777 == 0o755


def test_the_tool_keeps_later_lines_too(project: Path) -> None:
    edit(project, "a.txt", 2)
    (project / "a.txt").write_text(text(2, 10))
    outcome = Toolbox(project).call("undo", {})
    assert outcome.structured["kind"] == "undone"
    assert "later changes of other lines were kept" in outcome.structured["message"]
    assert (project / "a.txt").read_text() == text(10)


def test_receipts_stay_readable_by_what_reads_them_now(project: Path) -> None:
    edit(project, "a.txt", 2)
    (project / "a.txt").write_text(text(2, 10))
    Workspace(project).undo()
    journal = json.loads((project / ".inlay/receipts/2.json").read_text())["journal"]
    assert journal["receipt"]["notes"] == []
    assert journal["receipt"]["reverses"] == "1"
    assert Workspace(project).verify_log() == ()
