"""The promises of safe writing, one by one, through the command line or the library."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import inlay
from inlay import (
    Decision,
    LandOptions,
    Need,
    PathTraversalError,
    SafeFileWriteError,
    Snapshot,
    Workspace,
    write,
)
from inlay.cli.ask.approval_question import ApprovalPrompt
from inlay.text.diff import difference
from inlay.text.excerpt import excerpt

from .conftest import Run, Scripted, Session


def lines(count: int, word: str = "value") -> str:
    return "".join(f"{word}_{n} = {n}\n" for n in range(count))


@pytest.fixture
def state(project: Path) -> Path:
    (project / "state.py").write_text(lines(150))
    return project / "state.py"


def asked_about(project: Path, count: int) -> bool:
    (project / "some.py").write_text(lines(count))
    try:
        write("some.py", lines(count, "other"), Workspace(project))
    except SafeFileWriteError:
        assert (project / "some.py").read_text() == lines(count)
        return True
    assert (project / "some.py").read_text() == lines(count, "other")
    return False


def test_010_a_new_file_is_created_without_a_question(run: Run, project: Path) -> None:
    done = run("write", "new/deep/file.py", "x = 1\n")
    assert done.code == 0
    assert (project / "new/deep/file.py").read_text() == "x = 1\n"


def test_020_a_small_file_is_replaced_without_a_question(run: Run, project: Path) -> None:
    (project / "small.py").write_text(lines(50))
    assert run("write", "small.py", "-", stdin="y = 2\n").code == 0
    assert (project / "small.py").read_text() == "y = 2\n"


def test_030_a_large_file_brings_up_the_prompt(project: Path, state: Path) -> None:
    session = Session(project, "write", "state.py", "-", stdin=lines(10))
    assert "About to replace 150 lines with 10 lines" in session.expect("nothing written\n> ")
    session.answer("q", "nothing was written")
    assert session.end() == 4


def test_040_auto_mode_fails_fast_with_the_list(run: Run, state: Path) -> None:
    done = run("write", "--auto", "state.py", "-", stdin=lines(10))
    assert done.code == 4
    assert "state.py: About to replace 150 lines with 10 lines" in done.err
    told = json.loads(run("write", "--auto", "--json", "state.py", "-", stdin=lines(10)).out)
    assert (told["status"], told["error"]) == ("needs-decision", "SafeFileWriteError")
    assert [need["path"] for need in told["needs"]] == ["state.py"]
    assert [reason["code"] for reason in told["needs"][0]["reasons"]] == ["large-replacement"]
    assert state.read_text() == lines(150)


def test_050_force_is_the_explicit_consent_in_auto_mode(run: Run, state: Path) -> None:
    assert run("write", "--auto", "--force", "state.py", "-", stdin=lines(10)).code == 0
    assert state.read_text() == lines(10)


def test_060_append_puts_the_new_content_at_the_end(run: Run, state: Path) -> None:
    assert run("write", "--auto", "--strategy", "append", "state.py", "-", stdin="end = 1\n").code == 0
    assert state.read_text() == lines(150) + "end = 1\n"


def test_070_insert_puts_the_new_content_at_line_50(run: Run, state: Path) -> None:
    arguments = ["--auto", "--strategy", "insert", "--line", "50", "state.py", "-"]
    assert run("write", *arguments, stdin="here = 1\n").code == 0
    after = state.read_text().splitlines(keepends=True)
    assert after[49] == "here = 1\n"
    assert "".join(after[:49] + after[50:]) == lines(150)


def test_080_extend_adds_methods_to_the_class(run: Run, project: Path) -> None:
    before = "class State:\n    def a(self):\n        return 1\n"
    (project / "class.py").write_text(before)
    new = "class State:\n    def b(self):\n        return 2\n"
    assert run("write", "--strategy", "extend", "class.py", "-", stdin=new).code == 0
    after = (project / "class.py").read_text()
    assert after.startswith(before)
    assert after.count("class State") == 1
    assert "    def b(self):\n        return 2\n" in after


def test_085_replace_leaves_the_new_content_only(run: Run, state: Path) -> None:
    assert run("write", "--auto", "--strategy", "replace", "state.py", "-", stdin=lines(3)).code == 4
    assert run("write", "--force", "--strategy", "replace", "state.py", "-", stdin=lines(3)).code == 0
    assert state.read_text() == lines(3)


def shown(project: Path, before: str, after: str) -> str:
    """What a person at a terminal without colour sees of a replacement."""
    (project / "shown.py").write_text(before)
    session = Session(project, "write", "--threshold", "10", "shown.py", "-", stdin=after, NO_COLOR="1")
    told = session.expect("nothing written\n> ")
    session.answer("q", "nothing was written")
    session.end()
    return told


def test_090_270_lines_to_56_shows_214_fewer(project: Path) -> None:
    told = shown(project, lines(270), lines(56))
    assert "About to replace 270 lines with 56 lines (-214)." in told
    assert "DELETED 214, ADDED 0, 270 → 56 lines" in told
    assert len(re.findall(r"^-value_", told, re.MULTILINE)) == 214
    assert excerpt(difference(lines(270), lines(56))).note == ""


def test_100_50_lines_to_100_shows_50_more(project: Path) -> None:
    told = shown(project, lines(50), lines(100))
    assert "About to replace 50 lines with 100 lines (+50)." in told
    assert "DELETED 0, ADDED 50, 50 → 100 lines" in told
    assert len(re.findall(r"^\+value_", told, re.MULTILINE)) == 50


def test_110_exactly_100_lines_need_no_approval(project: Path) -> None:
    assert not asked_about(project, 100)


def test_120_exactly_101_lines_need_approval(project: Path) -> None:
    assert asked_about(project, 101)


def test_130_every_operation_is_in_the_audit_log(project: Path, state: Path) -> None:
    workspace = Workspace(project)
    with pytest.raises(SafeFileWriteError):
        write("state.py", lines(10), workspace)
    write("state.py", lines(10), workspace, approve=lambda needs, changes: [Decision(None, strategy="append")])
    records = [record.event for record in workspace.records()]
    names = [event.event for event in records]
    assert names[:4] == ["proposal", "blocked", "proposal", "decision"]
    assert names[4:] == ["write"] * len(names[4:])
    assert names[4:]
    assert {event.path for event in records if event.path} == {"state.py"}
    original = Snapshot.of({"state.py": lines(150)}).files[inlay.RepoPath("state.py")].digest
    assert records[0].before == original
    decision = records[3]
    assert (decision.decision, decision.by, decision.before) == ("append", "caller", original)
    assert "large-replacement" in decision.detail


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b", "~/x", "C:\\x"])
def test_140_no_path_leaves_the_project(run: Run, project: Path, path: str) -> None:
    with pytest.raises(PathTraversalError):
        write(path, "x\n", Workspace(project))
    done = run("write", "--json", "--force", path, "x")
    assert (done.code, json.loads(done.out)["error"]) == (3, "PathTraversalError")


def test_150_a_failure_in_mid_write_leaves_the_old_file(
    project: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    real = os.write

    def full(descriptor: int, data: Any) -> int:
        if b"other_" in bytes(data):
            real(descriptor, bytes(data)[:100])
            raise OSError(28, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(inlay.EnvironmentFailure):
        write("state.py", lines(150, "other"), Workspace(project), options=LandOptions(force=True))
    monkeypatch.undo()
    assert state.read_text() == lines(150)
    assert [path.name for path in project.iterdir() if path.name.startswith("state")] == ["state.py"]


def test_160_the_answer_append_becomes_the_decision_append(state: Path) -> None:
    file = inlay.File.of("state.py", lines(150))
    changes = inlay.ChangeSet((inlay.Change(file.path, file, "x = 1\n"),))
    need = Need(file.path, (), 150, 1, ("append", "insert", "extend", "replace", "edit"))
    (decision,) = ApprovalPrompt(Scripted("a", "y"), check=True, yes=False)((need,), changes)
    assert (str(decision.path), decision.verdict, decision.strategy) == ("state.py", "approve", "append")
    assert len(decision.digest) == 64
