"""One writer at a time: a lock that the kernel releases when its holder dies, however it dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from inlay.errors import EnvironmentFailure
from inlay.storage.state.state_dir import Home

_NAME = "lock"
TURN = "turn"  #: of those who hold a lock from reading to writing, which is not the lock of the writing itself
_PAUSE = 0.01  # seconds; short beside a commit, long beside a look at the lock


@contextlib.contextmanager
def held(home: Home, wait: float, name: str = _NAME) -> Iterator[None]:
    """Hold the lock, waiting `wait` seconds for another writer; the file stays, for removing it would free it twice."""
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=home.top)
    try:
        if not _taken(descriptor, time.monotonic() + wait):
            raise EnvironmentFailure(
                f"another process has been writing to this project for {wait:g} seconds; nothing was written, try again"
            )
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def held_if_free(home: Home) -> Iterator[bool]:
    """Hold the lock if nobody else does; tells whether."""
    descriptor = os.open(_NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=home.top)
    try:
        yield _taken(descriptor, 0.0)
    finally:
        os.close(descriptor)


def _taken(descriptor: int, until: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_PAUSE)
