"""Every way into the project's directory tree, from one descriptor, so that nothing leads out of it.

No path is checked and then opened by name. Where the kernel can, it opens the whole path below the root itself and
refuses every link on the way; elsewhere each step is opened relative to the directory before it. Either way a link that
is swapped in at the same time has no effect. Where links may be followed, each is read from the directory that holds
it, `..` goes back the way we came, and the result is opened without following any.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.errors import EditsRefused, EnvironmentFailure, InlayError, Misfit, PathTraversalError, ReplyRejected
from inlay.model.file import RepoPath
from inlay.storage.paths import file_metadata
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import syscalls

# Non-blocking, so that a FIFO that is put in the file's place after the check cannot block us.
_LEAF = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_MOST_LINKS = 40  # as the kernel counts
_MOST_STEPS = 4096
_LARGEST = 1 << 30  # bytes; no source file is larger, and it would fill the memory

_SPECIAL = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file and what the file system says about it."""

    data: bytes
    status: os.stat_result
    meta: Meta


def open_root(root: str) -> int:
    """A descriptor of the directory that the user named; the only place where a link is followed."""
    try:
        return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise EnvironmentFailure(f"there is no directory {root!r}") from None
    except NotADirectoryError:
        raise EnvironmentFailure(f"{root!r} is not a directory") from None
    except OSError as error:
        raise failure(root, error) from error


@contextlib.contextmanager
def opened_root(root: str | os.PathLike[str]) -> Iterator[int]:
    """The same descriptor, closed afterwards."""
    descriptor = open_root(os.fspath(root))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def follow_links(root: int, path: RepoPath) -> RepoPath:
    """The path without links that `path` leads to; raises where a link leads out, in a circle, or to nothing."""
    with contextlib.ExitStack() as stack:
        try:
            return _LinkWalk(root, path, stack).result()
        except NotADirectoryError:
            return path  # opening it says which step is no directory
        except OSError as error:
            raise failure(str(path), error) from error


class _LinkWalk:
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
                raise linked(self._path, step) from None
            self._behind += [step, *self._ahead]
            self._ahead.clear()
            return
        if stat.S_ISLNK(mode):
            target = os.readlink(step, dir_fd=above)
            self._links += 1
            if target.startswith("/") or self._links > _MOST_LINKS or len(self._ahead) > _MOST_STEPS:
                raise linked(self._path, step)
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


@contextlib.contextmanager
def parent(root: int, path: RepoPath) -> Iterator[int]:
    """A descriptor of the directory that holds `path`; raises FileNotFoundError where there is none."""
    above = path.value.rpartition("/")[0]
    try:
        directory = syscalls.open_beneath(root, above, syscalls.DIRECTORY) if above else os.dup(root)
    except FileNotFoundError:
        raise
    except OSError:
        # An old kernel, a sandbox, a rename just now, or a refusal: step by step we can tell which.
        directory = _walk(root, path)
    try:
        yield directory
    finally:
        os.close(directory)


def _walk(root: int, path: RepoPath) -> int:
    directory = os.dup(root)
    for step in path.value.split("/")[:-1]:
        try:
            below = os.open(step, syscalls.DIRECTORY, dir_fd=directory)
        except FileNotFoundError:
            raise
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
                raise _not_a_directory(directory, step, path) from None
            raise failure(str(path), error) from error
        finally:
            os.close(directory)
        directory = below
    return directory


def _not_a_directory(directory: int, step: str, path: RepoPath) -> ReplyRejected:
    with contextlib.suppress(OSError):
        if stat.S_ISLNK(os.stat(step, dir_fd=directory, follow_symlinks=False).st_mode):
            return linked(path, step)
    message = f"{path} cannot exist: {step!r} is a file, not a directory"
    return EditsRefused(Misfit("not-a-directory", message, "Name a file that exists.", path=str(path)))


def status(root: int, path: RepoPath) -> os.stat_result | None:
    """The status of `path` itself, links not followed; None where nothing is there."""
    try:
        with parent(root, path) as directory:
            return os.stat(path.name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure(str(path), error) from error


def read(root: int, path: RepoPath, limit: int = _LARGEST) -> Content | None:
    """The regular file at `path`; None where nothing is there; anything else is refused by name."""
    try:
        with parent(root, path) as directory:
            _require_plain(path, os.stat(path.name, dir_fd=directory, follow_symlinks=False), limit)
            with open(os.open(path.name, _LEAF, dir_fd=directory), "rb") as stream:
                # Checked again on the open file: from now on no other one can take its place.
                opened = os.fstat(stream.fileno())
                _require_plain(path, opened, limit)
                return Content(stream.read(), opened, file_metadata.of(stream.fileno()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure(str(path), error) from error


def _require_plain(path: RepoPath, checked: os.stat_result, limit: int) -> None:
    """Raise unless it is a plain file that may be edited."""
    mode = checked.st_mode
    if stat.S_ISLNK(mode):
        raise linked(path, path.name)
    if stat.S_ISDIR(mode):
        raise EditsRefused(Misfit("directory", f"{path} is a directory", "Name a file inside it.", path=str(path)))
    for is_kind, kind in _SPECIAL:
        if is_kind(mode):
            raise EditsRefused(Misfit("special-file", f"{path} is {kind}, not a file", path=str(path)))
    if checked.st_nlink > 1:
        message = f"{path} is one of {checked.st_nlink} hard links to the same file, the others may lie outside"
        raise EditsRefused(Misfit("hard-link", message, "Leave this file alone.", path=str(path)))
    if checked.st_size > limit:
        message = f"{path} is too large to edit ({checked.st_size} bytes)"
        raise EditsRefused(Misfit("too-large", message, path=str(path)))


def nearest_directory(root: int, path: RepoPath) -> os.stat_result:
    """The directory that holds `path`, or the nearest one above that exists."""
    above = path.value.rpartition("/")[0]
    while above:
        if (directory := status(root, RepoPath(above))) is not None:
            return directory
        above = above.rpartition("/")[0]
    return os.fstat(root)


def names_beside(root: int, path: RepoPath) -> frozenset[str]:
    """The names in the directory that holds `path`, or would hold it."""
    try:
        with parent(root, path) as directory:
            return frozenset(os.listdir(directory))
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise failure(str(path), error) from error


def linked(path: RepoPath, step: str) -> PathTraversalError:
    """The refusal of a path that goes through a symbolic link."""
    message = f"the path {str(path)!r} goes through the symbolic link {step!r}"
    return PathTraversalError(Misfit("path-symlink", message, "Name the file the link leads to.", path=str(path)))


def failure(what: str, error: OSError) -> InlayError:
    """An error of the operating system as ours; a name that is too long is the only one a model can correct."""
    if error.errno == errno.ENAMETOOLONG:
        return EditsRefused(Misfit("path-too-long", f"the path {what[:200]!r} is too long", path=what[:200]))
    return EnvironmentFailure(f"{what}: {(error.strerror or str(error)).lower()}")
