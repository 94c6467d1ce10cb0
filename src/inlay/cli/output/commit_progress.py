"""How far a long command has come, on the error stream: one line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_PATIENCE = 1.0  # seconds before anything is said, and between lines on a terminal
_PATIENCE_ELSEWHERE = 10.0


class Counting:
    """Counts steps; says nothing where everything is done within a second."""

    def __init__(self, verb: str, total: int) -> None:
        self._verb, self._total, self._done = verb, total, 0
        self._is_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._said = False

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if time.monotonic() < self._next:
            return
        line = f"{self._verb} {self._done} of {self._total}"
        sys.stderr.write(f"\r{line}" if self._is_terminal else f"{line}\n")
        sys.stderr.flush()
        self._said = True
        self._next = time.monotonic() + (_PATIENCE if self._is_terminal else _PATIENCE_ELSEWHERE)

    def __enter__(self) -> Counting:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._said and self._is_terminal:
            sys.stderr.write("\r\033[K")
