"""One holder at a time: a lock on a file, which the kernel releases when its holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from inlay.errors import EnvironmentFailure

_PAUSE = 0.01  # seconds between two attempts; short beside a commit, long beside an attempt
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class LockBusy(EnvironmentFailure):
    """Another process holds the lock."""


@contextlib.contextmanager
def locked(
    path: str | os.PathLike[str], directory: int | None = None, *, wait: float | None = 0.0, busy: str = ""
) -> Iterator[int]:
    """Hold the lock on a file, made where it is missing; yields its descriptor, which a child may inherit.

    Raises LockBusy with the message `busy` after `wait` seconds; None waits for as long as it takes. The file stays:
    a process that waits for a removed file would hold a lock that nobody else sees.
    """
    descriptor = os.open(path, _FLAGS, 0o600, dir_fd=directory)
    try:
        lock_descriptor(descriptor, wait, busy)
        yield descriptor
    finally:
        os.close(descriptor)


def lock_descriptor(descriptor: int, wait: float | None = None, busy: str = "") -> None:
    """Take the lock on an open file or directory; closing the descriptor releases it."""
    if wait is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise LockBusy(busy) from None
            time.sleep(_PAUSE)
