"""One step of a commit: a name gets its new file, and what it held before comes out and is checked.

Checking what came out, and not what is about to be replaced, leaves no moment in between: a program that wrote to the
file until the swap is noticed, and its file put back. Each step has a slot in the commit's own directory: the new file
waits there, and the old one is there afterwards.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import sys

from inlay.errors import EnvironmentFailure, StaleFile
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open, file_metadata
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import syscalls
from inlay.storage.transaction.journal import JournalEntry

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
#: digest of what exists but is not a regular file, or is being written: equal to that of no content
OTHER = "other"


def publish(root: int, pending: int, number: int, entry: JournalEntry) -> bool:
    """Give an entry's name its new content; False where the system could not swap in one step."""
    with confined_open.parent(root, entry.path) as directory:
        try:
            if not entry.old:
                _create(directory, pending, number, entry.path)
            elif not entry.new:
                _delete(directory, pending, number, entry)
            else:
                return _replace(directory, pending, number, entry)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            message = f"{entry.path} is on another file system than the project's root; nothing was written"
            raise EnvironmentFailure(message) from error
    return True


def _create(directory: int, pending: int, number: int, path: RepoPath) -> None:
    try:
        syscalls.rename_new(slot(number), pending, path.name, directory)
    except FileExistsError:
        raise StaleFile(f"{path} was created while the changes were being written; they were rolled back") from None


def _delete(directory: int, pending: int, number: int, entry: JournalEntry) -> None:
    try:
        syscalls.rename_new(entry.path.name, directory, slot(number), pending)
    except FileNotFoundError:
        raise _changed(entry.path) from None
    if digest_at(pending, slot(number), settled=True) != entry.old:
        syscalls.rename_new(slot(number), pending, entry.path.name, directory)
        raise _changed(entry.path)


def _replace(directory: int, pending: int, number: int, entry: JournalEntry) -> bool:
    try:
        syscalls.exchange(slot(number), pending, entry.path.name, directory)
    except FileNotFoundError:
        raise _changed(entry.path) from None
    except OSError as error:
        if error.errno not in syscalls.UNSUPPORTED:
            raise
        if digest_at(directory, entry.path.name, settled=True) != entry.old:
            raise _changed(entry.path) from None
        syscalls.rename(slot(number), pending, entry.path.name, directory)
        return False
    if digest_at(pending, slot(number), settled=True) != entry.old:
        syscalls.exchange(slot(number), pending, entry.path.name, directory)
        raise _changed(entry.path)
    return True


def _changed(path: RepoPath) -> StaleFile:
    return StaleFile(f"{path} changed while the changes were being written; they were rolled back")


def sync_parents(root: int, paths: list[RepoPath]) -> None:
    """Make the names in the directories of `paths` durable."""
    for path in {path.value.rpartition("/")[0]: path for path in paths}.values():
        with contextlib.suppress(FileNotFoundError), confined_open.parent(root, path) as directory:
            syscalls.sync(directory)


def slot(number: int) -> str:
    """The name under which the file of an entry waits."""
    return f"{number}.file"


def write_slot(
    pending: int, name: str, content: bytes, meta: Meta | None, path: RepoPath, default: int = 0o666
) -> Meta:
    """Write a file that waits for its name, durably and with its metadata, which is returned."""
    descriptor = syscalls.create(name, default if meta is None else 0o600, pending)
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
