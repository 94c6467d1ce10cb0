"""A small project and a way to call the command line in this process."""

import contextlib
import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.main import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src/app.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 1\n")
    (root / "notes.txt").write_text("one\ntwo\n")
    return root


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call `inlay` in the project with text or bytes on standard input."""
    monkeypatch.chdir(project)

    def call(*arguments: str, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        with pytest.raises(SystemExit) as left:
            main(arguments)
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Outcome(left.value.code, told.out, told.err)

    return call


class Scripted(Dialogue):
    """A person who answers from a script; what they were shown is kept."""

    def __init__(self, *answers: str) -> None:
        super().__init__(io.StringIO("".join(f"{answer}\n" for answer in answers)))
        self.seen = ""

    def show(self, *lines: str) -> None:
        self.seen += "".join(f"{line}\n" for line in lines)


_TAKE_THE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(2, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class Session:
    """A command that runs at a terminal of its own, as for a person; the reply may still come through a pipe."""

    def __init__(self, project: Path, *arguments: str, stdin: str | None = None, **environment: str) -> None:
        self._master, slave = pty.openpty()
        self.seen = ""
        command = [sys.executable, "-c", _TAKE_THE_TERMINAL, sys.executable, "-m", "inlay", *arguments]
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
        self.process = subprocess.Popen(
            command,
            cwd=project,
            stdin=slave if stdin is None else subprocess.PIPE,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": "xterm", **environment},
            start_new_session=True,
        )
        os.close(slave)
        if stdin is not None and self.process.stdin is not None:
            self.process.stdin.write(stdin.encode())
            self.process.stdin.close()

    def expect(self, text: str, *, timeout: float = 30.0) -> str:
        """Everything that is shown until `text` is."""
        shown, deadline = "", time.monotonic() + timeout
        while text not in shown:
            ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"waited for {text!r}, saw {shown!r}"
            shown += self._read()
        return shown

    def answer(self, line: str, until: str) -> str:
        """Type a line and wait for what comes of it."""
        os.write(self._master, f"{line}\n".encode())
        return self.expect(until)

    def press(self, key: str) -> None:
        """Type without a line end, as control keys are."""
        os.write(self._master, key.encode())

    def end(self) -> int:
        """Wait for the command to end, and say how it did."""
        with contextlib.suppress(EOFError):
            while True:
                self._read()
        code = self.process.wait(timeout=30)
        os.close(self._master)
        return code

    def _read(self) -> str:
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            data = b""  # Linux says so when the last process has left the terminal
        if not data:
            raise EOFError(self.seen)
        text = data.decode("utf-8", "replace").replace("\r\n", "\n")
        self.seen += text
        return text
