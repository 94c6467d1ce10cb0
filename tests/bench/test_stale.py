"""Stale diffs: git's own merges decide, those of `git apply --3way` and of `git cherry-pick`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.commits import git
from bench.stale import Judged, Stale, judged, merged, picked, shortfalls, stales

BASE = [f"value_{n} = {n}" for n in range(40)]


def text(changes: dict[int, str]) -> bytes:
    return "".join(changes.get(n, line) + "\n" for n, line in enumerate(BASE)).encode()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "sample" / "repo"
    root.mkdir(parents=True)
    run(root, "init", "-q", "-b", "main", ".")
    states: list[dict[int, str]] = [{}, {5: "five = 5"}, {5: "five = 5", 30: "thirty = 30"}]
    for state in states:
        (root / "a.py").write_bytes(text(state))
        run(root, "add", "-A")
        run(root, "commit", "-q", "-m", "state")
    return root


def run(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    subprocess.run(["git", *identity, "-C", str(root), *words], check=True, capture_output=True)


def test_a_diff_meets_the_file_as_it_is_later(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD~1").decode().strip()
    undone, made = stales(repository, commit)
    assert (undone.kind, undone.now) == ("undone", text({30: "thirty = 30"}))
    assert (made.kind, made.now) == ("made", text({5: "five = 5", 30: "thirty = 30"}))
    assert undone.apply == undone.pick == made.apply == made.pick == made.now
    assert [judged(stale).outcome for stale in (undone, made)] == ["landed, as git"] * 2


@pytest.mark.parametrize(("ours", "clean"), [({20: "twenty = 20"}, True), ({5: "other = 5"}, False)])
@pytest.mark.parametrize("command", ["apply", "cherry-pick"])
def test_the_merges_are_those_of_git_itself(repository: Path, ours: dict[int, str], clean: bool, command: str) -> None:
    """The commands that people type say the same, for a clean merge and for a conflict."""
    run(repository, "checkout", "-q", "-b", "side", "main~2")
    (repository / "a.py").write_bytes(text(ours))
    run(repository, "commit", "-q", "-a", "-m", "ours")
    sides = text(ours), text({}), text({5: "five = 5"})
    result = merged(*sides) if command == "apply" else picked(repository, *sides)
    patch = git(repository, "diff", "main~2", "main~1")
    words = ["apply", "--3way"] if command == "apply" else ["cherry-pick", "-n", "main~1"]
    done = subprocess.run(["git", "-C", str(repository), *words], input=patch, capture_output=True, check=False)
    assert (done.returncode == 0) == clean == (result is not None)
    assert not clean or result == (repository / "a.py").read_bytes()


def test_another_result_than_gits_is_wrong(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD~1").decode().strip()
    stale = next(stales(repository, commit))
    other = Stale(repository, commit, "a.py", 1, "undone", stale.now, stale.patch, b"other\n", None)
    assert judged(other).outcome == "WRONG"
    nothing = Stale(repository, commit, "a.py", 1, "undone", stale.now, stale.patch, None, None)
    assert judged(nothing).outcome == "landed, git conflicts"


def test_the_bar_is_nothing_wrong_and_as_many_as_git() -> None:
    def one(outcome: str, *, apply: bool) -> Judged:
        return Judged("x", 1, "undone", outcome, apply, apply)

    assert shortfalls([one("landed, as git", apply=True), one("refused", apply=False)]) == []
    assert len(shortfalls([one("refused", apply=True)])) == 1
    assert len(shortfalls([one("WRONG", apply=False)])) == 1
