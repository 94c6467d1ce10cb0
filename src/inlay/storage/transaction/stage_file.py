"""The slots of a commit: files in its own directory that wait for their names, or came out of them."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
import sys

from inlay.model.file import RepoPath
from inlay.storage.paths import file_metadata
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import syscalls

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
#: digest of what exists but is not a regular file, or is being written: equal to that of no content
OTHER = "other"


def slot(number: int) -> str:
    """The name under which the file of an entry waits."""
    return f"{number}.file"


def write_slot(pending: int, name: str, content: bytes, meta: Meta | None, path: RepoPath) -> Meta:
    """Write a file that waits for its name, durably and with its metadata, which is returned."""
    descriptor = syscalls.create(name, 0o666 if meta is None else 0o600, pending)
    try:
        syscalls.write(descriptor, content)
        if meta is not None:
            file_metadata.give(descriptor, meta, path)
        syscalls.sync(descriptor)
        return file_metadata.of(descriptor)
    finally:
        os.close(descriptor)


def digest_at(directory: int, name: str, *, settled: bool = False) -> str:
    """The digest of a file, empty where there is none; `settled` requires that no program has it open for writing."""
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode):
            return OTHER
        descriptor = os.open(name, _READ, dir_fd=directory)
    except FileNotFoundError:
        return ""
    with open(descriptor, "rb", buffering=0) as stream:
        is_other = not stat.S_ISREG(os.fstat(descriptor).st_mode) or (settled and _is_being_written(descriptor))
        return OTHER if is_other else hashlib.file_digest(stream, "sha256").hexdigest()


def _is_being_written(descriptor: int) -> bool:
    """Whether a program has the file open for writing: what it writes next would be lost with the old file."""
    if sys.platform != "linux":
        return False
    try:
        # The kernel grants a read lease only while no program can write.
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False
