"""One step of a commit: a name gets its new file, and what it held before comes out and is looked at.

Looking at what came out, and not at what is about to be replaced, leaves no moment in between: whoever wrote to the
file until the swap is noticed, and gets it back. Each step has a slot in the commit's own directory: there the new file
waits, and there the old one stands afterwards.
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
from inlay.storage.paths import confined_open
from inlay.storage.state import syscalls
from inlay.storage.transaction.journal import JournalEntry

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_CHUNK = 1 << 20
#: digest of what is there but is no regular file, or cannot be read: equal to that of no content
OTHER = "other"


def slot(number: int) -> str:
    """The name under which the file of an entry waits."""
    return f"{number}.file"


def digest_at(directory: int, name: str, *, settled: bool = False) -> str:
    """The digest of a file, empty where there is none; `settled` asks that nobody has it open for writing."""
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode):
            return OTHER
        descriptor = os.open(name, _READ, dir_fd=directory)
    except FileNotFoundError:
        return ""
    try:
        return OTHER if settled and _is_being_written(descriptor) else _digest(descriptor)
    finally:
        os.close(descriptor)


def _digest(descriptor: int) -> str:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return OTHER
    found = hashlib.sha256()
    while chunk := os.read(descriptor, _CHUNK):
        found.update(chunk)
    return found.hexdigest()


def _is_being_written(descriptor: int) -> bool:
    """Whether somebody has the file open for writing: what they write next would be lost with the old file."""
    if sys.platform != "linux":
        return False
    try:
        # The kernel grants a read lease only while nobody can write.
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False


def publish(root: int, pending: int, number: int, entry: JournalEntry) -> bool:
    """Give an entry's name its new content; False where the system could not do it in one step that tells."""
    with confined_open.parent(root, entry.path) as directory:
        try:
            if not entry.old:
                _create(directory, pending, number, entry.path)
            elif not entry.new:
                _delete(directory, pending, number, entry)
            else:
                return _replace(directory, pending, number, entry)
        except OSError as error:
            raise _explained(entry.path, error) from error
    return True


def _create(directory: int, pending: int, number: int, path: RepoPath) -> None:
    try:
        syscalls.rename_new(slot(number), pending, path.name, directory)
    except FileExistsError:
        raise StaleFile(f"{path} has been created while the changes were being written; nothing was kept") from None


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
        return _replace_in_two_steps(directory, pending, number, entry)
    if digest_at(pending, slot(number), settled=True) != entry.old:
        syscalls.exchange(slot(number), pending, entry.path.name, directory)
        raise _changed(entry.path)
    return True


def _replace_in_two_steps(directory: int, pending: int, number: int, entry: JournalEntry) -> bool:
    if digest_at(directory, entry.path.name, settled=True) != entry.old:
        raise _changed(entry.path)
    syscalls.rename(slot(number), pending, entry.path.name, directory)
    return False


def _changed(path: RepoPath) -> StaleFile:
    return StaleFile(f"{path} has changed while the changes were being written; nothing was kept")


def _explained(path: RepoPath, error: OSError) -> Exception:
    if error.errno == errno.EXDEV:
        return EnvironmentFailure(f"{path} is on another file system than the project's root; nothing was written")
    return error


def sync_parents(root: int, paths: list[RepoPath]) -> None:
    """Make the names in the directories of `paths` last."""
    for path in {path.value.rpartition("/")[0]: path for path in paths}.values():
        with contextlib.suppress(FileNotFoundError), confined_open.parent(root, path) as directory:
            syscalls.sync(directory)
