"""The project's `.inlay` directory: private to its user, invisible to git, never reached through a link."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.storage.paths import confined_open
from inlay.storage.state import atomic_write, lock, syscalls

NAME = ".inlay"
_PARTS = ("pending", "receipts", "backups", "log")
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class StateDir:
    """Descriptors of `.inlay` and its parts."""

    root: int
    top: int
    pending: int  #: one directory per commit that is not cleaned up yet
    receipts: int
    backups: int
    log: int


@contextlib.contextmanager
def opened(root: str | os.PathLike[str], part: str = "") -> Iterator[StateDir]:
    """The directory of the project at `root`, made where it is missing; `part` is what errors name."""
    try:
        with confined_open.opened_root(root) as descriptor, made(descriptor) as state:
            yield state
    except OSError as error:
        raise confined_open.failure(f"{NAME}/{part}".rstrip("/"), error) from error


@contextlib.contextmanager
def existing(root: int) -> Iterator[StateDir | None]:
    """The directory as it is; None where it is missing or incomplete."""
    with contextlib.ExitStack() as stack:
        state = None
        with contextlib.suppress(FileNotFoundError):
            state = _open(root, stack)
        yield state


@contextlib.contextmanager
def made(root: int) -> Iterator[StateDir]:
    """The directory, made or completed where it is missing or an earlier start was interrupted."""
    with contextlib.ExitStack() as stack:
        try:
            state = _open(root, stack)
        except FileNotFoundError:
            _make(root)
            state = _open(root, stack)
        if os.fstat(state.top).st_mode & 0o077:
            # Copied by a program that did not keep modes; the content is for its user only.
            syscalls.set_mode(state.top, 0o700)
        yield state


def _open(root: int, stack: contextlib.ExitStack) -> StateDir:
    top = _enter(root, NAME, stack)
    if os.fstat(top).st_uid not in (os.geteuid(), 0) and os.geteuid() != 0:
        raise EnvironmentFailure(f"{NAME} belongs to another user, who could have put anything there")
    return StateDir(root, top, *(_enter(top, part, stack) for part in _PARTS))


def _enter(above: int, name: str, stack: contextlib.ExitStack) -> int:
    try:
        return stack.enter_context(syscalls.open_directory(name, above))
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise EnvironmentFailure(f"{name} in {NAME}'s place is not a directory of ours; move it away") from None
        raise


def _make(root: int) -> None:
    with contextlib.suppress(FileExistsError):
        syscalls.make_directory(NAME, 0o700, root)
    with contextlib.ExitStack() as stack:
        top = _enter(root, NAME, stack)
        lock.lock_descriptor(top)  # two processes that start at once would interfere with each other
        if not atomic_write.read(top, _IGNORE):
            atomic_write.replace(top, _IGNORE, b"*\n")
        # The log last: the directory is complete when it is there.
        for part in _PARTS:
            with contextlib.suppress(FileExistsError):
                syscalls.make_directory(part, 0o700, top)
        syscalls.sync(top)
        syscalls.sync(root)
