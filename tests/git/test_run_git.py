"""Asking git: its answer, its refusal, and what a repository must not be able to make it do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from inlay.errors import GitFailed
from inlay.git import run_git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def test_the_answer_comes_back_as_bytes(repository: Path) -> None:
    blob = run_git.ask(str(repository), "hash-object", "-w", "--stdin", stdin=b"caf\xe9\n").strip().decode()
    assert run_git.ask(str(repository), "cat-file", "blob", blob) == b"caf\xe9\n"


def test_a_refusal_carries_gits_own_words(repository: Path) -> None:
    with pytest.raises(GitFailed, match=r"git cat-file: .*no-such-object"):
        run_git.ask(str(repository), "cat-file", "blob", "no-such-object")


def test_a_git_that_hangs_is_given_up(repository: Path) -> None:
    subprocess.run(["git", "-C", str(repository), "config", "alias.hang", "!sleep 60"], check=True)
    with pytest.raises(GitFailed, match="longer than"):
        run_git.ask(str(repository), "hang", timeout=0.3)


def test_the_callers_environment_does_not_choose_the_repository(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    subprocess.run(["git", "init", "-q", str(elsewhere)], check=True)
    monkeypatch.setenv("GIT_DIR", str(elsewhere / ".git"))
    told = run_git.ask(str(repository), "rev-parse", "--absolute-git-dir").decode().strip()
    assert Path(told) == (repository / ".git").resolve()


def test_git_that_is_not_there_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(GitFailed, match="cannot be started"):
        run_git.ask(str(repository), "status")
