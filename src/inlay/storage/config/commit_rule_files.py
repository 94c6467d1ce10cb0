"""The configurations for commit messages that lie in a repository; read below its top and through no link."""

from __future__ import annotations

import os
from collections.abc import Iterable

from inlay.errors import ReplyRejected
from inlay.git.repository import Repository
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open

_LARGEST = 1 << 20  # bytes


def configurations(repo: Repository, names: Iterable[str]) -> list[tuple[str, str]]:
    """Name and text of every file that is there: in the working tree or, without one, in the last commit."""
    found = _in_tree(repo.top, names) if repo.top else _in_head(repo, names)
    return [(name, data.decode("utf-8", "replace")) for name, data in found]


def _in_tree(top: str, names: Iterable[str]) -> list[tuple[str, bytes]]:
    directory = confined_open.open_root(top)
    try:
        return [(name, data) for name in names if (data := _read(directory, name)) is not None]
    finally:
        os.close(directory)


def _read(directory: int, name: str) -> bytes | None:
    try:
        found = confined_open.read(directory, RepoPath(name), _LARGEST)
    except ReplyRejected:
        return None
    return found.data if found else None


def _in_head(repo: Repository, names: Iterable[str]) -> list[tuple[str, bytes]]:
    return [(name, data) for name in names if (data := repo.objects.blob(f"HEAD:{name}")) is not None]
