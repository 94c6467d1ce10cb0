"""`inlay approve`: a plan is listed, shown, approved once, denied, or refused because a file changed."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from inlay.tools import Toolbox

INLAY = str(Path(sys.executable).with_name("inlay"))
OLD = "line\n" * 150


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "long.txt").write_text(OLD)
    return tmp_path


@pytest.fixture
def plan(project: Path) -> str:
    waiting = Toolbox(project).call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert waiting
    return waiting


def approve(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [INLAY, "approve", "--root", str(project), *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def answered(project: Path, plan: str, answer: bytes) -> tuple[int, str]:
    """What becomes of a plan when somebody at a terminal answers."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(INLAY, [INLAY, "approve", "--root", str(project), plan])
    said = b""
    try:
        while b"[y/N]" not in said:
            said += os.read(terminal, 4096)
        os.write(terminal, answer)
        while chunk := os.read(terminal, 4096):
            said += chunk
    except OSError:
        pass  # the other end is closed
    finally:
        os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()


def test_a_plan_is_listed_and_shown_and_nothing_is_written(project: Path, plan: str) -> None:
    assert plan in approve(project).stdout
    assert json.loads(approve(project, "--json").stdout)[0]["paths"] == ["long.txt"]
    shown = approve(project, plan, "--show")
    assert "About to replace 150 lines with 1 line" in shown.stdout
    assert "+short" in shown.stdout
    assert json.loads(approve(project, plan, "--show", "--json").stdout)["files"][0]["action"] == "updated"
    assert (project / "long.txt").read_text() == OLD


def test_a_person_at_a_terminal_is_shown_the_difference_and_asked(project: Path, plan: str) -> None:
    code, said = answered(project, plan, b"n\n")
    assert code == 4
    assert "+short" in said
    assert (project / "long.txt").read_text() == OLD
    code, _ = answered(project, plan, b"y\n")
    assert code == 0
    assert (project / "long.txt").read_text() == "short\n"
    assert approve(project, plan, "--yes").returncode == 2


def test_without_a_terminal_nobody_agrees_by_accident(project: Path, plan: str) -> None:
    done = approve(project, plan)
    assert done.returncode == 4
    assert (project / "long.txt").read_text() == OLD
    done = approve(project, plan, "--yes", "--json")
    assert json.loads(done.stdout)["status"] == "applied"
    assert (project / "long.txt").read_text() == "short\n"
    log = subprocess.run([INLAY, "log", "--root", str(project), "--json"], capture_output=True, text=True).stdout
    decisions = [record for record in map(json.loads, log.splitlines()) if record["event"] == "decision"]
    assert decisions[0]["by"] == "person"
    undone = subprocess.run([INLAY, "undo", "--root", str(project)], capture_output=True)
    assert undone.returncode == 0
    assert (project / "long.txt").read_text() == OLD


def test_a_plan_that_is_denied_is_gone_and_logged(project: Path, plan: str) -> None:
    assert approve(project, plan, "--deny").returncode == 0
    assert approve(project, plan, "--yes").returncode == 2
    assert "Nothing waits" in approve(project).stdout
    assert (project / "long.txt").read_text() == OLD
    log = subprocess.run([INLAY, "log", "--root", str(project)], capture_output=True, text=True).stdout
    assert "abort" in log


def test_a_file_that_changed_since_keeps_its_content(project: Path, plan: str) -> None:
    (project / "long.txt").write_text("mine\n" * 150)
    done = approve(project, plan, "--yes")
    assert done.returncode == 4
    assert "changed since" in done.stderr
    assert (project / "long.txt").read_text() == "mine\n" * 150


def test_a_plan_that_was_tampered_with_is_refused(project: Path, plan: str) -> None:
    file = project / f".inlay/plans/{plan}.json"
    file.write_bytes(file.read_bytes().replace(b"short", b"shirt"))
    done = approve(project, plan, "--yes")
    assert done.returncode == 5
    assert "damaged" in done.stderr
    assert (project / "long.txt").read_text() == OLD


@pytest.mark.parametrize("name", ["nonsense", "../../etc/passwd", "0" * 12])
def test_what_is_no_plan_is_wrong_usage(project: Path, name: str) -> None:
    assert approve(project, name, "--yes").returncode == 2


def test_asking_twice_makes_one_plan(project: Path, plan: str) -> None:
    again = Toolbox(project).call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert again == plan


def test_only_so_many_plans_wait(project: Path) -> None:
    box = Toolbox(project)
    for number in range(70):
        box.call("write_file", {"path": "long.txt", "content": f"{number}\n"})
    assert len(list((project / ".inlay/plans").glob("*.json"))) == 64
