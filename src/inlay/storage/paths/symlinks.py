"""Where a path leads that goes through symbolic links: to one without, inside the project, or nowhere.

Each link is read from the directory that holds it, and `..` goes back the way we came. The result is opened afterwards
without following any link, so one that is swapped in between is refused.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections import deque

from inlay.errors import Misfit, PathTraversalError
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open
from inlay.storage.state import syscalls

_MOST_LINKS = 40  # as the kernel counts
_MOST_STEPS = 4096


def resolve(root: int, path: RepoPath) -> RepoPath:
    """The path without links that `path` leads to; raises where a link leads out, in a circle, or to nothing."""
    with contextlib.ExitStack() as stack:
        try:
            return _Walk(root, path, stack).result()
        except NotADirectoryError:
            return path  # opening it says which step is no directory
        except OSError as error:
            raise confined_open.failure(str(path), error) from error


class _Walk:
    """One way through the tree, with the descriptors of all directories it came through."""

    def __init__(self, root: int, path: RepoPath, stack: contextlib.ExitStack) -> None:
        self._path, self._stack = path, stack
        self._ahead = deque(path.value.split("/"))
        self._own = len(self._ahead)  # how many of the steps ahead are from the path itself and not from a link
        self._behind: list[str] = []
        self._directories = [root]
        self._links = 0

    def result(self) -> RepoPath:
        while self._ahead:
            step = self._ahead.popleft()
            of_a_link = len(self._ahead) >= self._own
            self._own = min(self._own, len(self._ahead))
            if step == "..":
                if not self._behind:
                    raise self._refused()
                self._behind.pop()
                del self._directories[len(self._behind) + 1 :]
            elif step not in ("", "."):
                self._enter(step, of_a_link)
        if not self._behind:
            raise self._refused()
        return RepoPath("/".join(self._behind))

    def _enter(self, step: str, of_a_link: bool) -> None:
        above = self._directories[-1]
        try:
            mode = os.stat(step, dir_fd=above, follow_symlinks=False).st_mode
        except FileNotFoundError:
            # A new file may come here, but not by way of a link that leads to nothing.
            if of_a_link:
                raise confined_open.linked(self._path, step) from None
            self._behind += [step, *self._ahead]
            self._ahead.clear()
            return
        if stat.S_ISLNK(mode):
            target = os.readlink(step, dir_fd=above)
            self._links += 1
            if target.startswith("/") or self._links > _MOST_LINKS or len(self._ahead) > _MOST_STEPS:
                raise confined_open.linked(self._path, step)
            self._ahead.extendleft(reversed(target.split("/")))
            return
        self._behind.append(step)
        if self._ahead:
            self._directories.append(os.open(step, syscalls.DIRECTORY, dir_fd=above))
            self._stack.callback(os.close, self._directories[-1])

    def _refused(self) -> PathTraversalError:
        message = f"the path {str(self._path)!r} goes through a link that leads out of the project"
        misfit = Misfit("path-symlink", message, "Name files by their own paths.", path=str(self._path))
        return PathTraversalError(misfit)
