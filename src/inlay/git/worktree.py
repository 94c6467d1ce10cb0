"""A worktree of its own for one run: a copy of the project as it is now, uncommitted work included."""

from __future__ import annotations

import contextlib
import os
import shutil

from inlay.errors import GitFailed
from inlay.git import run_git

_MARK = ".ready"  # of a file beside it, written last
# What git ignores and tests may need all the same.
_LENT = (".venv", "venv", "node_modules")


def ensure(root: str, path: str) -> str:
    """The worktree at `path`, made where it is missing or incomplete; returns the project's directory in it.

    Raises GitFailed where the project is not in a git repository that has a commit.
    """
    prefix = run_git.ask(root, "rev-parse", "--show-prefix").decode().strip()
    inside = os.path.join(path, prefix) if prefix else path
    if os.path.exists(path + _MARK):
        return inside
    remove(root, path)
    try:
        run_git.ask(root, "worktree", "add", "--detach", path, "HEAD")
    except GitFailed as error:
        raise GitFailed(f"no worktree can be made, which needs a repository with a commit: {error}") from None
    _take_over(root, inside, prefix)
    with open(path + _MARK, "w", encoding="utf-8"):
        pass
    return inside


def is_possible(root: str) -> bool:
    """Whether there is a repository with a commit."""
    try:
        run_git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        return False
    return True


def remove(root: str, path: str) -> None:
    """Remove a worktree, whatever state it is in."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path + _MARK)
    with contextlib.suppress(GitFailed):
        run_git.ask(root, "worktree", "remove", "--force", "--force", path)
    shutil.rmtree(path, ignore_errors=True)
    with contextlib.suppress(GitFailed):
        run_git.ask(root, "worktree", "prune")


def _take_over(root: str, inside: str, prefix: str) -> None:
    """Make the worktree equal to the project: what was changed, added or deleted since the last commit."""
    listed = run_git.ask(root, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", ".")
    for entry in filter(None, listed.split(b"\0")):
        name = os.fsdecode(entry[3:]).removeprefix(prefix)
        source, target = os.path.join(root, name), os.path.join(inside, name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(target)
        if os.path.lexists(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    for name in _LENT:
        if os.path.isdir(os.path.join(root, name)) and not os.path.lexists(os.path.join(inside, name)):
            os.symlink(os.path.join(root, name), os.path.join(inside, name))
