"""The configurations for commit messages in a repository; read below its top and through no link."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from inlay.errors import ReplyRejected
from inlay.git.repository import Repository
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open

_LARGEST = 1 << 20  # bytes


def configurations(repo: Repository, names: Iterable[str]) -> list[tuple[str, str]]:
    """Name and text of every file that exists: in the working tree or, without one, in the last commit."""
    files: dict[str, bytes] = {}
    if not repo.top:
        files = {name: data for name in names if (data := repo.objects.blob(f"HEAD:{name}")) is not None}
    else:
        with confined_open.opened_root(repo.top) as directory:
            for name in names:
                with suppress(ReplyRejected):
                    if content := confined_open.read(directory, RepoPath(name), _LARGEST):
                        files[name] = content.data
    return [(name, data.decode("utf-8", "replace")) for name, data in files.items()]
