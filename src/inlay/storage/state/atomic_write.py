"""Files of ours, written whole or not at all.

A reader sees the old content or the new, never a part of it. When a function returns, the new content survives a power
cut; `durable=False` gives that up for files that can be lost. A file is private to its user unless `mode` is another
one, or None for the user's default.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from inlay.storage.state import syscalls

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read(directory: int, name: str) -> bytes:
    """The content of a file; empty where it is missing."""
    try:
        descriptor = os.open(name, _READ, dir_fd=directory)
    except FileNotFoundError:
        return b""
    with open(descriptor, "rb") as stream:
        return stream.read()


def write_new(directory: int, name: str, data: bytes, *, mode: int | None = 0o600, durable: bool = True) -> None:
    """Write a file under a name that nobody reads yet; the caller syncs the directory."""
    descriptor = syscalls.create(name, 0o666 if mode is None else 0o600, directory)
    try:
        syscalls.write(descriptor, data)
        if mode is not None and mode != 0o600:
            syscalls.set_mode(descriptor, mode)
        if durable:
            syscalls.sync(descriptor)
    finally:
        os.close(descriptor)


def replace(directory: int, name: str, data: bytes, *, mode: int | None = 0o600, durable: bool = True) -> None:
    """Write a file, over the one that has the name."""
    with _temporary(directory, name, data, mode, durable) as temporary:
        syscalls.rename(temporary, directory, name, directory)
    if durable:
        syscalls.sync(directory)


def create(directory: int, name: str, data: bytes) -> None:
    """Write a file; raises FileExistsError where one has the name."""
    with _temporary(directory, name, data) as temporary:
        syscalls.rename_new(temporary, directory, name, directory)
    syscalls.sync(directory)


@contextlib.contextmanager
def _temporary(directory: int, name: str, data: bytes, mode: int | None = 0o600, durable: bool = True) -> Iterator[str]:
    # A name of its own: two processes may write the same file at the same time.
    temporary = f".{name}.{os.urandom(4).hex()}.tmp"
    try:
        write_new(directory, temporary, data, mode=mode, durable=durable)
        yield temporary
    except OSError:
        with contextlib.suppress(OSError):
            syscalls.unlink(temporary, directory)
        raise


def replace_path(path: str | os.PathLike[str], data: bytes, *, mode: int | None = None, durable: bool = True) -> None:
    """Write a file by its path; links on the way to its directory are followed."""
    above, name = os.path.split(path)
    with syscalls.open_directory(above or ".", follow=True) as directory:
        replace(directory, name, data, mode=mode, durable=durable)


def publish(source: str, target: str) -> None:
    """Give a file that is complete its final name, over the one that has it."""
    descriptor = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        syscalls.sync(descriptor)
    finally:
        os.close(descriptor)
    with syscalls.open_directory(os.path.dirname(target), follow=True) as directory:
        os.replace(source, target)
        syscalls.sync(directory)
