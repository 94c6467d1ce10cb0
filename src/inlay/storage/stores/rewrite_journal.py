"""The lock and the journal of a rewriting, in git's own directory, and the clearing up after one that was killed.

git locks a ref by a file beside it. A git that is killed at that moment leaves the file, and every later command stops
at it. The journal names these files before git may make them. Whoever holds our lock knows that no process of a
rewriting is alive, because git inherits it, so what a journal names may then be cleared away.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from inlay.errors import EnvironmentFailure
from inlay.storage.state import syscalls

_JOURNAL = "rewriting.json"
_NEXT = "rewriting.next"
_LOCK = "lock"
_PATIENCE = 1.0  # seconds; a git that is alive holds such a file for a few milliseconds
_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class RewriteJournal:
    """What a rewriting is about to do."""

    branch: str
    old: str
    new: str
    locks: tuple[str, ...]  #: the files that git makes while it changes the refs


@contextmanager
def held(common: str, wait: float = 10.0) -> Iterator[tuple[int, int]]:
    """Hold the lock of the repository's rewritings: (descriptor of the lock, descriptor of our directory)."""
    folder = os.path.join(common, "inlay")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        lock = os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=directory)
        try:
            _take(lock, time.monotonic() + wait)
            yield lock, directory
        finally:
            os.close(lock)
    finally:
        os.close(directory)


def _take(lock: int, until: float) -> None:
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if time.monotonic() > until:
            raise EnvironmentFailure("another rewriting is at work in this repository")
        time.sleep(_PAUSE)


def begin(directory: int, journal: RewriteJournal) -> None:
    """Write down what is about to happen; only then may it."""
    for file in journal.locks:
        if os.path.lexists(file):
            raise EnvironmentFailure(f"{file} is there: another git is at work, or one was killed here")
    with suppress(FileNotFoundError):
        syscalls.unlink(_NEXT, directory)
    descriptor = syscalls.create(_NEXT, 0o600, directory)
    try:
        syscalls.write(descriptor, json.dumps(asdict(journal)).encode())
        syscalls.sync(descriptor)
    finally:
        os.close(descriptor)
    syscalls.rename(_NEXT, directory, _JOURNAL, directory)
    syscalls.sync(directory)


def end(directory: int) -> None:
    """It is done, or nothing of it is."""
    with suppress(FileNotFoundError):
        syscalls.unlink(_JOURNAL, directory)


def unfinished(directory: int) -> RewriteJournal | None:
    """What was about to happen when somebody died; for a holder of the lock."""
    try:
        descriptor = os.open(_JOURNAL, os.O_RDONLY | os.O_CLOEXEC, dir_fd=directory)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as stream:
        try:
            said = json.loads(stream.read())
            return RewriteJournal(said["branch"], said["old"], said["new"], tuple(said["locks"]))
        except (ValueError, KeyError, TypeError):
            raise EnvironmentFailure("the journal of an interrupted rewriting cannot be read") from None


def clear(journal: RewriteJournal) -> tuple[str, ...]:
    """Remove the lock files that our own git left; for a holder of the lock. Returns the files that are gone."""
    before = {file: seen for file in journal.locks if (seen := _seen(file)) and _may_be_ours(seen[1])}
    if before:
        time.sleep(_PATIENCE)
    # What changed or went meanwhile is somebody's who is alive.
    stale = tuple(file for file, seen in before.items() if _seen(file) == seen)
    for file in stale:
        _remove(file)
    return stale


def _remove(file: str) -> None:
    directory = os.open(os.path.dirname(file), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        syscalls.unlink(os.path.basename(file), directory)
    finally:
        os.close(directory)


def _seen(file: str) -> tuple[tuple[int, int], bytes] | None:
    try:
        with open(file, "rb") as stream:
            status = os.fstat(stream.fileno())
            return (status.st_ino, status.st_mtime_ns), stream.read(200)
    except FileNotFoundError:
        return None


def _may_be_ours(content: bytes) -> bool:
    """Nothing, or an id, or the beginning of one: what git writes into such a file."""
    return len(content) <= 65 and all(byte in b"0123456789abcdef\n" for byte in content)
