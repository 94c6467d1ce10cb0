"""Which files a project has, as far as a name in a reply may mean them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from inlay.git import run_git
from inlay.storage.paths import path_names

# What a project carries but did not write; outside git there is nothing to ask.
_FOREIGN = frozenset({"node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache"})


def list_files(root: str) -> tuple[str, ...]:
    """Paths of the project's own files relative to `root`, sorted; git decides what is ignored where there is git."""
    # An empty answer comes from a directory that a repository around it ignores as a whole.
    return tuple(sorted(run_git.list_files(root) or _walk(root)))


def _walk(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if name not in _FOREIGN and not path_names.is_metadata(name)]
        inside = os.path.relpath(folder, root)
        yield from (name if inside == "." else f"{inside}/{name}" for name in names)
