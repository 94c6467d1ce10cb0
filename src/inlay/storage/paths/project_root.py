"""Where a project begins: at the top of its git repository, else at the nearest `.inlay`, else where we are."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.storage.state import state_dir

_GIT = ".git"  # a directory; a file in a linked worktree and in a submodule; whatever it is, it only marks the top
_GIT_PARTS = ("HEAD", "objects", "refs")


@dataclass(frozen=True, slots=True)
class ProjectRoot:
    """The root, and where we are below it."""

    path: str  #: absolute, in the user's own spelling where a link leads to it
    directory: str = ""  #: POSIX, relative to the root; empty at the root itself
    strays: tuple[str, ...] = ()  #: directories from here up to the root that have an `.inlay` of their own


def find(start: str = ".") -> ProjectRoot:
    """The project that a directory is in. Nothing is run, and the walk up ends at the nearest repository.

    It also ends where another user owns the directory above, who could have put a repository there, and at the border
    of a file system, across which no change could be written.
    """
    try:
        here = os.path.realpath(start, strict=True)
        above = list(_trusted(here))
    except OSError as error:
        raise EnvironmentFailure(f"{start!r} cannot be entered: {(error.strerror or str(error)).lower()}") from None
    top = _git_top(above) or _with_state(above) or here
    inside = os.path.relpath(here, top)
    directory = "" if inside == "." else inside
    strays = [folder for folder in above[: above.index(top)] if os.path.isdir(os.path.join(folder, state_dir.NAME))]
    return ProjectRoot(_spelled(start, top, directory), directory, tuple(strays))


def _trusted(here: str) -> Iterator[str]:
    """The directory and those above it, as far as they may decide about it."""
    device = os.stat(here).st_dev
    yield here
    while (above := os.path.dirname(here)) != here:
        status = os.stat(above)
        if status.st_dev != device or (status.st_uid not in (os.geteuid(), 0) and os.geteuid() != 0):
            return
        yield (here := above)


def _git_top(above: list[str]) -> str | None:
    for folder in above:
        marker = os.path.join(folder, _GIT)
        if os.path.lexists(marker) and (folder == above[0] or _is_ours(marker)):
            return folder
        if os.path.basename(folder) != _GIT and all(os.path.exists(os.path.join(folder, part)) for part in _GIT_PARTS):
            return above[0]  # a bare repository, which belongs to no working tree above it
    return None


def _is_ours(marker: str) -> bool:
    return os.geteuid() == 0 or os.lstat(marker).st_uid in (os.geteuid(), 0)


def _with_state(above: list[str]) -> str | None:
    for folder in above:
        marker = os.path.join(folder, state_dir.NAME)
        if os.path.lexists(marker) and stat.S_ISDIR(os.lstat(marker).st_mode) and _is_ours(marker):
            return folder
    return None


def _spelled(start: str, top: str, directory: str) -> str:
    """The root as the shell spells it, where the user came through a link."""
    here = os.environ.get("PWD", "") if start == "." else ""
    shown = here.removesuffix(f"/{directory}") if directory else here
    is_plain = os.path.isabs(shown) and os.path.normpath(shown) == shown and (not directory or shown != here)
    return shown if is_plain and os.path.isdir(shown) and os.path.samefile(shown, top) else top
