"""Signals that ask a process to end, held back while it does what must not be interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@contextmanager
def blocked() -> Iterator[None]:
    """Deliver these signals only afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_pending() -> bool:
    """Whether one of them waits for delivery."""
    return bool(signal.sigpending() & _ENDING)
