"""A person at a terminal: what is shown there, and what is answered."""

from __future__ import annotations

import sys
from typing import TextIO

from inlay.cli.output.terminal import Painter, say


class Dialogue:
    """Asks on standard error, so that standard output can be piped."""

    def __init__(self, answers: TextIO) -> None:
        self._answers = answers
        self.paint = Painter(sys.stderr)

    @classmethod
    def find(cls) -> Dialogue | None:
        """The person at the terminal, or None where there is no terminal."""
        if not sys.stderr.isatty():
            return None
        if sys.stdin.isatty():
            return cls(sys.stdin)
        # The reply came through a pipe; the terminal itself can still be asked.
        try:
            return cls(open("/dev/tty", encoding="utf-8", errors="replace"))
        except OSError:
            return None

    def show(self, *lines: str) -> None:
        """Print lines that were painted by `paint`."""
        say("\n".join(lines), err=True)

    def ask(self, question: str) -> str | None:
        """One line of answer, stripped; None at the end of input."""
        sys.stderr.write(question)
        sys.stderr.flush()
        answer = self._answers.readline()
        if not answer:
            self.show("")
            return None
        return answer.strip()

    def confirm(self, question: str) -> bool:
        return (self.ask(f"{question} [y/N] ") or "").lower() in ("y", "yes")
