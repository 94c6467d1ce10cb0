"""The project's `.inlay` directory: private to its user, invisible to git, never reached through a link."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.storage.state import syscalls

NAME = ".inlay"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PARTS = ("pending", "receipts", "backups", "log")
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Home:
    """Descriptors of `.inlay` and its parts."""

    root: int
    top: int
    pending: int  #: one directory per commit that is not swept yet
    receipts: int
    backups: int
    log: int


@contextlib.contextmanager
def existing(root: int) -> Iterator[Home | None]:
    """The directory as it is, or None where there is none, or none that is complete."""
    with contextlib.ExitStack() as stack:
        try:
            home = _open(root, stack)
        except FileNotFoundError:
            home = None
        yield home


@contextlib.contextmanager
def made(root: int) -> Iterator[Home]:
    """The directory, made where it is missing; whatever an interrupted start left out is added."""
    with contextlib.ExitStack() as stack:
        try:
            home = _open(root, stack)
        except FileNotFoundError:
            _make(root)
            home = _open(root, stack)
        if os.fstat(home.top).st_mode & 0o077:
            # Copied by something that kept no modes; what is in there is for its user only.
            syscalls.set_mode(home.top, 0o700)
        yield home


def _open(root: int, stack: contextlib.ExitStack) -> Home:
    top = _enter(root, NAME, stack)
    if os.fstat(top).st_uid not in (os.geteuid(), 0) and os.geteuid() != 0:
        raise EnvironmentFailure(f"{NAME} belongs to another user, who could have put anything there")
    return Home(root, top, *(_enter(top, part, stack) for part in _PARTS))


def _enter(above: int, name: str, stack: contextlib.ExitStack) -> int:
    try:
        descriptor = os.open(name, _DIRECTORY, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise EnvironmentFailure(f"{name} in {NAME}'s place is not a directory of ours; move it away") from None
        raise
    stack.callback(os.close, descriptor)
    return descriptor


def _make(root: int) -> None:
    with contextlib.ExitStack() as stack:
        _make_one(root, NAME)
        top = _enter(root, NAME, stack)
        fcntl.flock(top, fcntl.LOCK_EX)  # two that start at once would take each other's half-made files away
        if not read(top, _IGNORE):
            replace(top, _IGNORE, b"*\n")
        # The log last: it is complete once all before it is.
        for part in _PARTS:
            _make_one(top, part)
        syscalls.sync(top)
        syscalls.sync(root)


def _make_one(above: int, name: str) -> None:
    with contextlib.suppress(FileExistsError):
        syscalls.make_directory(name, 0o700, above)


def read(directory: int, name: str) -> bytes:
    """The content of a file of ours; empty where it is missing."""
    try:
        descriptor = os.open(name, _READ, dir_fd=directory)
    except FileNotFoundError:
        return b""
    with open(descriptor, "rb") as stream:
        return stream.read()


def write_new(directory: int, name: str, data: bytes) -> None:
    """A new file of ours with its content, on the disk when this returns."""
    descriptor = syscalls.create(name, 0o600, directory)
    try:
        syscalls.write(descriptor, data)
        syscalls.sync(descriptor)
    finally:
        os.close(descriptor)


def replace(directory: int, name: str, data: bytes) -> None:
    """The whole content of a file of ours, old or new at every moment."""
    fresh = f"{name}.tmp"
    with contextlib.suppress(FileNotFoundError):
        syscalls.unlink(fresh, directory)
    write_new(directory, fresh, data)
    syscalls.rename(fresh, directory, name, directory)
