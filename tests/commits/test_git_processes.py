"""How often git is started: one process for what is asked many times, however many commits there are."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Repo, Run
from .test_with_model import Serve, change, serve  # noqa: F401

Count = Callable[..., list[str]]


@pytest.fixture
def count(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Count:
    """Run a command with a git that writes down each call; the calls that were made."""
    folder, log = tmp_path / "bin", tmp_path / "calls"
    folder.mkdir()
    wrapper = folder / "git"
    wrapper.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{log}"\nexec "{shutil.which("git")}" "$@"\n')
    wrapper.chmod(0o755)

    def calls(*arguments: str, code: int = 0) -> list[str]:
        log.write_text("")
        with monkeypatch.context() as patch:
            patch.setenv("PATH", str(folder), prepend=":")
            done = run(*arguments)
        assert done.code == code, done.err
        return log.read_text().splitlines()

    return calls


def test_amend_by_a_model(serve: Serve, repo: Repo, count: Count) -> None:  # noqa: F811
    change(repo, "Add a thing\n", one_txt="1\n")
    change(repo, "Add more\n", two_txt="2\n")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~2")
    serve()
    calls = count("amend", "HEAD~2..HEAD", "--yes")
    assert len(calls) <= 12, calls
    assert all(subject.startswith("Say what ") for subject in repo.subjects()[-2:])


def test_amend_with_messages_and_undo(repo: Repo, count: Count, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    entries = [{"commit": repo.id(f"HEAD~{n}"), "message": f"Say {n}"} for n in range(3)]
    file.write_text(json.dumps(entries))
    assert len(count("amend", "--from", str(file), "--yes")) <= 9
    assert len(count("undo")) <= 4


def test_check_plan_and_draft(serve: Serve, repo: Repo, count: Count) -> None:  # noqa: F811
    (repo.root / "logo.png").write_bytes(b"\0\1")
    repo.git("add", ".")
    serve()
    assert len(count("draft")) <= 5
    repo.commit("Add a logo\n")
    few = [count("check", "HEAD~1..HEAD"), count("plan", "HEAD~1..HEAD", "--budget", "2000")]
    assert [len(calls) for calls in few] == [3, 4]
    many = [count("check", "HEAD~4..HEAD", code=1), count("plan", "HEAD~4..HEAD", "--budget", "2000")]
    assert [len(calls) for calls in many] == [3, 4]
    assert len(count("check", "HEAD~1..HEAD", "--ai")) <= 6


def test_check_and_plan_list_a_history_with_merges_in_the_same_order(repo: Repo, run: Run) -> None:
    for name, start in (("one", "HEAD~1"), ("two", "HEAD~2")):
        repo.git("checkout", "-q", "-b", name, start)
        repo.commit(f"Add {name}\n", GIT_COMMITTER_DATE="1600000000 +0000")
        repo.commit(f"Add {name} again\n", GIT_COMMITTER_DATE="1800000000 +0000")
        repo.git("checkout", "-q", "main")
        repo.git("merge", "-q", "--no-ff", name, "-m", f"Merge {name}")
    repo.commit("Add the last\n")
    for revision in ("HEAD~3..HEAD", "one..HEAD", "one...two", "HEAD~1^!", "HEAD~1^@", "HEAD"):
        checked = [verdict["commit"] for verdict in json.loads(run("check", revision, "--json").out)["commits"]]
        planned = [
            json.loads(line)["commit"] for line in run("plan", revision, "--budget", "900", "--json").out.splitlines()
        ]
        assert checked == planned
        assert len(checked) > 0
        for commit in checked:
            parents = repo.git("rev-list", "--parents", "--no-walk", commit).split()[1:]
            assert all(checked.index(parent) < checked.index(commit) for parent in parents if parent in checked)
