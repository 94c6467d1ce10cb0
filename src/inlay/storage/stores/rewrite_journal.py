"""The lock and the journal of a history rewrite, in git's own directory, and the cleanup after one that was killed.

git locks a ref by a file beside it. A git that is killed at that moment leaves the file, and every later command fails
because of it. The journal names these files before git may create them. A process that holds our lock knows that no
process of a rewrite is alive, because git inherits the lock, so it may remove the files that a journal names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.model.settings import LOCK_WAIT
from inlay.storage.state import atomic_write, record_codec, syscalls
from inlay.storage.state.lock import locked
from inlay.storage.stores import commit_state

_JOURNAL, _LOCK = "rewriting.json", "lock"
_PATIENCE = 1.0  # seconds; a git that is alive holds such a file for a few milliseconds


@dataclass(frozen=True, slots=True)
class RewriteJournal:
    """What a rewrite is about to do."""

    branch: str
    old: str
    new: str
    locks: tuple[str, ...]  #: the files that git makes while it changes the refs


@contextmanager
def exclusive(common: str, wait: float = LOCK_WAIT) -> Iterator[tuple[int, int]]:
    """Hold the lock of the repository's rewrites: (descriptor of the lock, descriptor of our directory)."""
    busy = "another history rewrite is running in this repository"
    with commit_state.opened(common) as directory, locked(_LOCK, directory, wait=wait, busy=busy) as lock:
        yield lock, directory


def begin(directory: int, journal: RewriteJournal) -> None:
    """Write the journal, before anything else happens."""
    for file in journal.locks:
        if os.path.lexists(file):
            raise EnvironmentFailure(f"{file} exists: another git is running, or one was killed here")
    atomic_write.replace(directory, _JOURNAL, record_codec.encode(journal))


def end(directory: int) -> None:
    """Remove the journal: all of the rewrite is done, or nothing of it."""
    with suppress(FileNotFoundError):
        syscalls.unlink(_JOURNAL, directory)


def clear(directory: int) -> tuple[str, ...]:
    """Remove what a killed rewrite left, its journal last; returns git's lock files. For a holder of the lock."""
    data = atomic_write.read(directory, _JOURNAL)
    try:
        locks = record_codec.decode(data, RewriteJournal).locks if data else ()
    except ValueError:
        raise EnvironmentFailure("the journal of an interrupted history rewrite cannot be read") from None
    before = {file: content for file in locks if (content := _content(file)) and _may_be_ours(content[1])}
    if before:
        time.sleep(_PATIENCE)
    # A file that changed or went in the meantime belongs to a process that is alive.
    stale = tuple(file for file, content in before.items() if _content(file) == content)
    for file in stale:
        with syscalls.open_directory(os.path.dirname(file), follow=True) as above:
            syscalls.unlink(os.path.basename(file), above)
    end(directory)
    return stale


def _content(file: str) -> tuple[tuple[int, int], bytes] | None:
    try:
        with open(file, "rb") as stream:
            status = os.fstat(stream.fileno())
            return (status.st_ino, status.st_mtime_ns), stream.read(200)
    except FileNotFoundError:
        return None


def _may_be_ours(content: bytes) -> bool:
    """Whether it is nothing, an object id, or the beginning of one: what git writes into such a file."""
    return len(content) <= 65 and all(byte in b"0123456789abcdef\n" for byte in content)
