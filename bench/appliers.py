"""Appliers: programs that take edits as JSON lines on stdin and answer on stdout, ours and others'."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from bench.judging import Answer
from bench.rendering import FORMATS
from bench.trials import Trial

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Applier:
    """A command that speaks the protocol of `inlay engine`, and the formats it can take."""

    name: str
    command: tuple[str, ...]
    formats: tuple[str, ...] = FORMATS
    environment: Mapping[str, str] = field(default_factory=dict)
    longest: int = 10**9  #: lines of the longest file it is given, for those that take minutes


def ours(command: tuple[str, ...] = ()) -> Applier:
    """The engine of this very checkout, unless another command is named."""
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return Applier("inlay", command or (sys.executable, "-m", "inlay", "engine"), environment={"PYTHONPATH": path})


class Running:
    """A started applier; one that hangs or dies is started again for the next trial."""

    def __init__(self, applier: Applier, seconds: float) -> None:
        self._applier, self._seconds = applier, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch = tempfile.mkdtemp(prefix="inlay-bench-")
        self._pending = b""

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def ask(self, trial: Trial) -> Answer:
        """The applier's answer to one trial."""
        fresh = self._process is None
        process = self._process = self._process or self._start()
        deadline = time.monotonic() + self._seconds * (4 if fresh else 1)  # its imports do not count
        try:
            assert process.stdin
            process.stdin.write(json.dumps(trial.request()).encode() + b"\n")
            process.stdin.flush()
            line = self._line(process, deadline)
        except (BrokenPipeError, EOFError):
            self._stop()
            return Answer("crash", error="the applier died")
        if line is None:
            self._stop()
            return Answer("timeout", error=f"no answer within {self._seconds:g} s")
        return _answer(json.loads(line))

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **self._applier.environment, "TMPDIR": self._scratch}
        self._pending = b""
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        # Some tools make directories where they stand, so they stand where nothing else does.
        return subprocess.Popen(
            self._applier.command, cwd=self._scratch, env=environment, stdin=pipe, stdout=pipe, stderr=nowhere
        )

    def _line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
        assert process.stdout
        parts = [self._pending]
        while b"\n" not in parts[-1]:
            if not select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return None
            chunk = os.read(process.stdout.fileno(), 1 << 20)
            if not chunk:
                raise EOFError
            parts.append(chunk)
        line, _, self._pending = b"".join(parts).partition(b"\n")
        return line

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _answer(said: dict[str, object]) -> Answer:
    content, ms = said.get("content"), said.get("ms")
    return Answer(
        "applied" if said.get("status") == "applied" else "refused",
        content if isinstance(content, str) else None,
        str(said.get("error") or ""),
        str(said.get("rule") or ""),
        float(ms) if isinstance(ms, int | float) else 0.0,
    )
