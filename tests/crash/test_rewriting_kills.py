"""A rewriting that dies at any moment leaves the old history or the new one, and nothing in anybody's way."""

import json
import os
import shutil
from pathlib import Path

import pytest
import rewritings
import scene

from inlay import commits
from inlay.errors import EnvironmentFailure

pytestmark = pytest.mark.slow

ENOUGH = 60


def copied(pattern: Path, name: str) -> Path:
    return Path(shutil.copytree(pattern, pattern.parent / name, symlinks=True))


@pytest.mark.parametrize("action", [rewritings.reword, rewritings.undo])
def test_killed_before_any_call_of_git_and_any_of_our_own(action: scene.Action) -> None:
    with scene.folder() as base:
        pattern = rewritings.build(base / "pattern")
        if action is rewritings.undo:
            rewritings.reword(pattern)
        old = rewritings.state(copied(pattern, "old"))
        done = copied(pattern, "done")
        action(done)
        new = rewritings.state(done)
        assert old[0] != new[0]
        found = set()
        for number in range(1, ENOUGH):
            root = copied(pattern, f"git{number}")
            died = rewritings.disturbed(root, action, SWEEP_AT=str(number)) != 0
            found.add(rewritings.state(root))
            if not died:
                break
        assert 3 < number < ENOUGH
        for number in range(1, ENOUGH):
            root = copied(pattern, f"own{number}")
            died = scene.killed_before(number, action, root)
            found.add(rewritings.state(root))
            if not died:
                break
        assert 3 < number < ENOUGH
        assert found == {old, new}


LOCKS = ("HEAD.lock", "refs/heads/main.lock", "refs/inlay/backup/1.lock")


@pytest.mark.parametrize("content", ["", "0123", "a" * 40 + "\n"])
def test_what_a_killed_git_left_is_cleared_away(content: str) -> None:
    with scene.folder() as base:
        root = rewritings.build(base / "repo")
        home = root / ".git"
        for lock in LOCKS:
            (home / lock).parent.mkdir(parents=True, exist_ok=True)
            (home / lock).write_text(content)
        (home / "inlay").mkdir()
        journal = {"branch": "refs/heads/main", "old": "a", "new": "b", "locks": [str(home / lock) for lock in LOCKS]}
        (home / "inlay/rewriting.json").write_text(json.dumps(journal))
        assert len(commits.recover(str(root))) == 3
        assert commits.recover(str(root)) == ()
        rewritings.reword(root)


def test_what_somebody_else_holds_is_left_alone() -> None:
    with scene.folder() as base:
        root = rewritings.build(base / "repo")
        lock = root / ".git/refs/heads/main.lock"
        lock.write_text("")
        with pytest.raises(EnvironmentFailure, match="another git is running"):
            rewritings.reword(root)
        assert commits.recover(str(root)) == ()
        assert lock.exists()
        lock.write_text("not an id")
        journal = {"branch": "refs/heads/main", "old": "a", "new": "b", "locks": [str(lock)]}
        (root / ".git/inlay/rewriting.json").write_text(json.dumps(journal))
        assert commits.recover(str(root)) == ()
        assert lock.exists()


def test_a_rewriting_waits_for_another_and_then_says_so() -> None:
    from inlay.git.repository import open_repository
    from inlay.storage.stores import rewrite_journal

    with scene.folder() as base:
        root = rewritings.build(base / "repo")
        common = open_repository(str(root)).common_dir
        with (
            rewrite_journal.exclusive(common),
            pytest.raises(EnvironmentFailure, match="another history rewrite"),
            rewrite_journal.exclusive(common, wait=0.1),
        ):
            os.abort()
