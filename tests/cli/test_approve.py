"""`inlay approve`: a plan is listed, shown, approved once, denied, or refused because a file changed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.storage.stores.pending_changes import Plans
from inlay.tools import Toolbox

from .conftest import Run, Session

OLD = "line\n" * 150


@pytest.fixture
def plan(project: Path) -> str:
    (project / "long.txt").write_text(OLD)
    waiting = Toolbox(project).call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert waiting
    return waiting


def test_a_plan_is_listed_and_shown_and_nothing_is_written(run: Run, project: Path, plan: str) -> None:
    assert plan in run("approve").out
    assert json.loads(run("approve", "--json").out)[0]["paths"] == ["long.txt"]
    shown = run("approve", plan, "--show")
    assert "About to replace 150 lines with 1 line" in shown.out
    assert "+short" in shown.out
    assert json.loads(run("approve", plan, "--show", "--json").out)["files"][0]["action"] == "updated"
    assert (project / "long.txt").read_text() == OLD


def test_a_person_at_a_terminal_is_shown_the_difference_and_asked(run: Run, project: Path, plan: str) -> None:
    for answer, code in (("n", 4), ("y", 0)):
        assert (project / "long.txt").read_text() == OLD
        session = Session(project, "approve", plan, NO_COLOR="1")
        assert "+short" in session.expect("[y/N]")
        session.answer(answer, "\n")
        assert session.end() == code
    assert (project / "long.txt").read_text() == "short\n"
    assert run("approve", plan, "--yes").code == 2


def test_without_a_terminal_nobody_agrees_by_accident(run: Run, project: Path, plan: str) -> None:
    done = run("approve", plan)
    assert done.code == 4
    assert (project / "long.txt").read_text() == OLD
    done = run("approve", plan, "--yes", "--json")
    assert json.loads(done.out)["status"] == "applied"
    assert (project / "long.txt").read_text() == "short\n"
    log = run("log", "--json").out
    decisions = [record for record in map(json.loads, log.splitlines()) if record["event"] == "decision"]
    assert decisions[0]["by"] == "person"
    assert run("undo").code == 0
    assert (project / "long.txt").read_text() == OLD


def test_a_plan_that_is_denied_is_gone_and_logged(run: Run, project: Path, plan: str) -> None:
    assert run("approve", plan, "--deny").code == 0
    assert run("approve", plan, "--yes").code == 2
    assert "Nothing is waiting for approval" in run("approve").out
    assert (project / "long.txt").read_text() == OLD
    assert "abort" in run("log").out


def test_a_file_that_changed_since_keeps_its_content(run: Run, project: Path, plan: str) -> None:
    (project / "long.txt").write_text("mine\n" * 150)
    done = run("approve", plan, "--yes")
    assert done.code == 4
    assert "changed since" in done.err
    assert (project / "long.txt").read_text() == "mine\n" * 150


def test_a_plan_that_was_tampered_with_is_refused(run: Run, project: Path, plan: str) -> None:
    file = project / f".inlay/plans/{plan}.json"
    file.write_bytes(file.read_bytes().replace(b"short", b"shirt"))
    done = run("approve", plan, "--yes")
    assert done.code == 5
    assert "damaged" in done.err
    assert (project / "long.txt").read_text() == OLD


@pytest.mark.parametrize("name", ["nonsense", "../../etc/passwd", "0" * 12])
def test_what_is_no_plan_is_wrong_usage(run: Run, project: Path, name: str) -> None:
    assert run("approve", name, "--yes").code == 2


def test_asking_twice_makes_one_plan(project: Path, plan: str) -> None:
    again = Toolbox(project).call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert again == plan


def test_only_so_many_plans_wait(project: Path, plan: str) -> None:
    kept = Plans(project)
    first = kept.load(plan)
    for number in range(70):
        kept.add(replace(first, id=f"{number:012x}"))
    assert len(kept.all()) == 64
    assert kept.all()[-1] == replace(first, id=f"{69:012x}")
