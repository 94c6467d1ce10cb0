"""The configurations for commit messages in a repository; read below its top and through no link."""

from __future__ import annotations

from collections.abc import Iterable

from inlay.errors import ReplyRejected
from inlay.git.repository import Repository
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open

_LARGEST = 1 << 20  # bytes


def configurations(repo: Repository, names: Iterable[str]) -> list[tuple[str, str]]:
    """Name and text of every file that exists: in the working tree or, without one, in the last commit."""
    if not repo.top:
        files = [(name, repo.objects.blob(f"HEAD:{name}")) for name in names]
    else:
        with confined_open.opened_root(repo.top) as directory:
            files = [(name, _read(directory, name)) for name in names]
    return [(name, data.decode("utf-8", "replace")) for name, data in files if data is not None]


def _read(directory: int, name: str) -> bytes | None:
    try:
        content = confined_open.read(directory, RepoPath(name), _LARGEST)
    except ReplyRejected:
        return None
    return content.data if content else None
