"""What is going on, on the error stream: one line that changes at a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import TextIO

from inlay.cli.output.terminal import Painter, hidden, safe

_SELDOM = 0.1  # seconds between two changes of the line
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """A line that says what happens now, and lines that stay; says nothing at all where it is `quiet`."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._shown = False
        self._last = 0.0
        self.paint = Painter(self._stream)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def status(self, text: str, *, now: bool = False) -> None:
        """What happens at the moment; at a terminal it takes the place of what was said before, elsewhere nothing."""
        moment = time.monotonic()
        if self._quiet or not self._live or (not now and moment - self._last < _SELDOM):
            return
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(_CLEAR + safe(hidden(text))[:width])
        self._stream.flush()
        self._shown, self._last = True, moment

    def step(self, text: str) -> None:
        """The beginning of something: a line of its own where nothing can be replaced."""
        if self._live:
            self.status(text, now=True)
        else:
            self.line(self.paint(text))

    def line(self, painted: str) -> None:
        """Something that stays to be read."""
        if self._quiet:
            return
        self.clear()
        self._stream.write(f"{hidden(painted)}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take the changing line away, before others write."""
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._shown = False
