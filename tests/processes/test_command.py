"""Commands of the user's: how they end, what they see, and what they leave behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure
from inlay.processes.command import run


def test_output_and_exit_code_come_back_in_order(tmp_path: Path) -> None:
    done = run("echo one; echo two >&2; exit 3", cwd=str(tmp_path), timeout=10)
    assert (done.code, done.output, done.ok) == (3, "one\ntwo\n", False)


def test_a_list_needs_no_shell(tmp_path: Path) -> None:
    done = run(["printf", "%s", "$HOME"], cwd=str(tmp_path), timeout=10)
    assert done.ok
    assert done.output == "$HOME"


def test_it_runs_where_it_was_told_to(tmp_path: Path) -> None:
    assert run(["pwd"], cwd=str(tmp_path), timeout=10).output.strip() == os.path.realpath(tmp_path)


def test_a_command_that_does_not_end_is_ended_with_all_it_started(tmp_path: Path) -> None:
    script = "sleep 60 & echo $! > child; sleep 60"
    started = time.monotonic()
    done = run(script, cwd=str(tmp_path), timeout=0.5)
    assert done.timed_out
    assert not done.ok
    assert time.monotonic() - started < 10
    assert _ended(int((tmp_path / "child").read_text()))


def test_what_a_command_leaves_running_ends_with_it(tmp_path: Path) -> None:
    done = run("sleep 60 & echo $! > child", cwd=str(tmp_path), timeout=10)
    assert done.ok
    assert _ended(int((tmp_path / "child").read_text()))


def _ended(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY"])
def test_no_key_reaches_a_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "canary-5f1d")
    monkeypatch.setenv("HARMLESS", "kept")
    output = run("env", cwd=str(tmp_path), timeout=10).output
    assert "canary-5f1d" not in output
    assert "HARMLESS=kept" in output


def test_what_is_added_to_the_environment_is_seen(tmp_path: Path) -> None:
    assert run("echo $COLOUR", cwd=str(tmp_path), timeout=10, environ={"COLOUR": "blue"}).output == "blue\n"


def test_a_flood_of_output_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    done = run("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last", cwd=str(tmp_path), timeout=30)
    assert done.output.startswith("first\n")
    assert done.output.endswith("last\n")
    assert "2000011 bytes left out" in done.output
    assert len(done.output) < 1_000_100


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="no-such-program-here"):
        run(["no-such-program-here"], cwd=str(tmp_path), timeout=10)
