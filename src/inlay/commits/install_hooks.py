"""Which directory git takes its hooks from, and whether ours may go there."""

from __future__ import annotations

from inlay.errors import NeedsDecision
from inlay.git import repository
from inlay.storage.stores import git_hooks
from inlay.storage.stores.git_hooks import Placed


def install(root: str, program: str, *, draft: bool) -> tuple[str, list[Placed]]:
    """Have git check every message, and with `draft` offer one; returns the directory and each hook."""
    folder = _folder(root)
    names = ("commit-msg", "prepare-commit-msg") if draft else ("commit-msg",)
    return folder, git_hooks.install(folder, names, program)


def remove(root: str) -> tuple[str, list[Placed]]:
    folder = _folder(root)
    return folder, git_hooks.remove(folder)


def _folder(root: str) -> str:
    """Where git looks for hooks; a directory for all repositories is not ours to change."""
    with repository.open_repository(root) as repo:
        folder, scope = repository.hooks(repo)
    if scope not in ("", "local", "worktree"):
        raise NeedsDecision(
            f"core.hooksPath is set for all repositories ({scope}: {folder}); hooks there would run everywhere. "
            'Call `inlay commits check --message "$1"` from your own commit-msg, or set core.hooksPath here'
        )
    return folder
