"""The benchmark's runs: appliers that answer, hang or die, and edits out of a real repository."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import history, invention, peers
from bench.__main__ import main
from bench.appliers import Applier, Running
from bench.trials import Trial

TRIAL = Trial("x", "find_replace", "clean", "apply", "x.txt", "a\n", "reply", ("b\n",))
ANSWERING = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "status": "applied", "content": asked["original"] * 2, "ms": 1}), flush=True)
"""


def program(code: str) -> Applier:
    return Applier("stub", (sys.executable, "-c", code))


def test_an_answer_comes_back() -> None:
    with Running(program(ANSWERING), 10) as running:
        assert [running.ask(TRIAL).content for _ in range(2)] == ["a\na\n"] * 2


def test_a_dead_applier_is_a_crash_and_starts_again() -> None:
    with Running(program("raise SystemExit"), 10) as running:
        assert [running.ask(TRIAL).status for _ in range(2)] == ["crash", "crash"]


def test_a_silent_applier_times_out() -> None:
    with Running(program("import sys; sys.stdin.read()"), 0.02) as running:
        assert running.ask(TRIAL).status == "timeout"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*args: str) -> None:
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.com")
        subprocess.run(["git", *identity, "-C", str(tmp_path), *args], check=True, capture_output=True)

    git("init", "-q")
    lines = [f"value_{n} = compute({n})" for n in range(40)]
    for n in (None, 7, 21):
        if n is not None:
            lines[n] = f"value_{n} = changed()"
        (tmp_path / "code.py").write_text("\n".join(lines) + "\n")
        git("add", "-A")
        git("commit", "-q", "-m", "state")
    return tmp_path


def test_changes_come_out_of_history(repository: Path) -> None:
    found = history.changes([repository], 10, 1)
    assert found == history.changes([repository], 10, 1)
    assert sorted(change.spans[0].old for change in found) == [7, 21]
    assert all(change.path == "code.py" and change.spans[0].gone == 1 for change in found)


def test_short_histories_are_made_up_for(repository: Path) -> None:
    made = invention.invented([repository], 5, 1)
    assert made == invention.invented([repository], 5, 1)
    assert len(made) == 5
    assert all(change.before != change.after for change in made)


def test_the_command_reports_and_fails_below_the_bar(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = f"{sys.executable} -c '{ANSWERING}'"
    arguments = ["--repo", str(repository), "--per", "2", "--pool", "10", "--classes", "clean,twin", "--engine", engine]
    assert main([*arguments, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert {row["verdict"] for row in said["results"]} == {"harm"}
    assert main([*arguments, "--out", str(repository / "out")]) == 1
    assert "FAILED" in capsys.readouterr().out
    assert json.loads((repository / "out/results.json").read_text())


def test_one_trial_can_be_shown(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = history.changes([repository], 10, 1)[0].name
    arguments = ["--repo", str(repository), "--pool", "10", "--engine", f"{sys.executable} -c '{ANSWERING}'"]
    assert main([*arguments, "--show", f"{name}/find_replace/clean"]) == 0
    assert "REPLACE WITH" in capsys.readouterr().out
    assert main([*arguments, "--show", f"{name}/find_replace/twins_of_three_nowhere"[:-8]]) in (0, 2)


def test_peers_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(peers.VARIABLE, str(tmp_path))
    found, missing = peers.installed()
    assert "aider" in missing
    assert str(tmp_path) in missing["aider"]
    assert "aider" not in found
