"""A command that writes reports: they are read and removed, and never stay in the project."""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence

from inlay.errors import EnvironmentFailure
from inlay.processes.command import Finished, run

_LARGEST = 64 << 20  # bytes of one file that are read


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


def now() -> float:
    """The time as files have it."""
    return time.time()


def _filled(command: str | Sequence[str], paths: Mapping[str, str]) -> str | Sequence[str]:
    for name, path in paths.items():
        if isinstance(command, str):
            command = command.replace(f"{{{name}}}", shlex.quote(path))
        else:
            command = [word.replace(f"{{{name}}}", path) for word in command]
    return command


def _content(path: str) -> bytes | None:
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        return stream.read(_LARGEST)
    return None
