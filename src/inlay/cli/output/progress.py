"""Progress on standard error: one changing line at a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import TextIO

from inlay.cli.output.terminal import Painter, hidden, safe

_INTERVAL = 0.1  # seconds between two changes of the line
_PLAIN_INTERVAL = 10.0  # seconds between two lines where nothing can be replaced
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """The current state in a line that changes, and messages in lines that stay; silent where it is `quiet`."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._shown = False
        self._last = 0.0
        self._last_count = time.monotonic()
        self.paint = Painter(self._stream)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def status(self, text: str, *, now: bool = False) -> None:
        """The current state, at a terminal only."""
        moment = time.monotonic()
        if self._quiet or not self._live or (not now and moment - self._last < _INTERVAL):
            return
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(_CLEAR + safe(hidden(text))[:width])
        self._stream.flush()
        self._shown, self._last = True, moment

    def step(self, text: str) -> None:
        """The start of a step: a line of its own where nothing can be replaced."""
        if self._live:
            self.status(text, now=True)
        else:
            self.line(self.paint(text))

    def count(self, text: str) -> None:
        """How far a long job has come: like `status`, and a line now and then where nothing can be replaced."""
        if self._live:
            self.status(text)
        elif time.monotonic() - self._last_count >= _PLAIN_INTERVAL:
            self._last_count = time.monotonic()
            self.line(self.paint(text))

    def line(self, painted: str) -> None:
        if self._quiet:
            return
        self.clear()
        self._stream.write(f"{hidden(painted)}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the changing line, before others write."""
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._shown = False
