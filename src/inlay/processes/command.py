"""A command of the user: tests, linters, checks; it has a time limit and does not see secrets.

The reports that it writes are read and removed, and never stay in the project.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from inlay.errors import EnvironmentFailure

_INTERVAL = 0.1  # seconds between two checks of `stop`
_MOST_OUTPUT = 1_000_000  # bytes kept of what it prints: its beginning and its end
_LARGEST_REPORT = 64 << 20  # bytes of one file that are read
# Code that a model wrote may run here, so it must not see what it could steal.
_SECRET = re.compile(r"(?i)(api|access|auth|private|secret)_?(key|token)|_key$|token|secret|passw|credential")


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended."""

    code: int  #: its exit status; negative for a signal
    output: str  #: standard output and error, in the order they came
    seconds: float
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """Whether it succeeded, and in time."""
        return self.code == 0 and not self.timed_out


def run(
    command: str | Sequence[str],
    *,
    cwd: str,
    timeout: float,
    environ: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> Finished:
    """Run a command and wait for it; a string is for the shell. It and its children are killed at the time-out.

    `environ` is added to our environment, from which everything that looks like a secret is removed. Setting `stop`
    in another thread ends it early.
    """
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = _start(command, cwd, environ or {}, output)
        try:
            ended = _wait(process, started + timeout, stop)
        finally:
            # What the command left running ends with it.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        code = -signal.SIGKILL if ended is None else ended
        return Finished(code, _read(output), time.monotonic() - started, timed_out=ended is None)


def _wait(process: subprocess.Popen[bytes], until: float, stop: threading.Event | None) -> int | None:
    """The exit status; None after the time-out or a stop."""
    while (left := until - time.monotonic()) > 0 and not (stop and stop.is_set()):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _INTERVAL) if stop else left)
    return process.poll()


def _start(
    command: str | Sequence[str], cwd: str, environ: Mapping[str, str], output: IO[bytes]
) -> subprocess.Popen[bytes]:
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    environment = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment | dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise EnvironmentFailure(f"{argv[0]!r} cannot be started: {error.strerror}") from None


def _read(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= _MOST_OUTPUT:
        return output.read().decode("utf-8", "replace")
    half = _MOST_OUTPUT // 2
    head = output.read(half)
    output.seek(-half, os.SEEK_END)
    cut = f"\n[… {size - 2 * half} bytes left out …]\n".encode()
    return (head + cut + output.read()).decode("utf-8", "replace")


def run_reported(
    command: str | Sequence[str],
    *,
    cwd: str,
    timeout: float,
    leaves: Sequence[str],
    environ: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> tuple[Finished, dict[str, bytes]]:
    """Run a command in which `{name}` is replaced by the path of a file it may write, for every name in `leaves`.

    The same paths are in the environment, as `INLAY_NAME`. Returns the files that were written, by name.
    """
    if not os.path.isdir(cwd):
        raise EnvironmentFailure(f"nothing can be run in {cwd}: there is no such folder")
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        paths = {name: os.path.join(folder, name) for name in leaves}
        variables = {f"INLAY_{name.upper()}": path for name, path in paths.items()} | dict(environ or {})
        done = run(_filled(command, paths), cwd=cwd, timeout=timeout, environ=variables, stop=stop)
        contents = {name: _content(path) for name, path in paths.items()}
        return done, {name: content for name, content in contents.items() if content is not None}


def left_since(path: str, moment: float) -> bytes | None:
    """A file of the project that was written after `moment`; an older one is not of this run."""
    try:
        # File systems keep time more coarsely than the clock does.
        return _content(path) if os.stat(path).st_mtime >= moment - 1 else None
    except OSError:
        return None


def _filled(command: str | Sequence[str], paths: Mapping[str, str]) -> str | Sequence[str]:
    for name, path in paths.items():
        if isinstance(command, str):
            command = command.replace(f"{{{name}}}", shlex.quote(path))
        else:
            command = [word.replace(f"{{{name}}}", path) for word in command]
    return command


def _content(path: str) -> bytes | None:
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        return stream.read(_LARGEST_REPORT)
    return None
