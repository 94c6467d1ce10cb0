"""Run git: without hooks, without programs that a repository chooses, in no other repository than the one named."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO

from inlay.errors import GitFailed

_PATIENCE = 30.0  # seconds; a listing of a million files takes a few

# A repository's own configuration can name programs to run, so everything that would start one is switched off.
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")


def command(root: str, *args: str) -> list[str]:
    return ["git", *_HARMLESS, "-C", root, *args]


def ask(
    root: str, *args: str, stdin: bytes = b"", timeout: float = 600.0, environ: Mapping[str, str] | None = None
) -> bytes:
    """What git prints; raises GitFailed with git's own message."""
    try:
        env = environment() | dict(environ or {})
        done = subprocess.run(
            command(root, *args), env=env, input=stdin, capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {_verb(args)} took longer than {timeout:.0f} s") from None
    except OSError as error:
        raise GitFailed(f"git cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace").strip() or "failed without a message"
        raise GitFailed(f"git {_verb(args)}: {message}")
    return done.stdout


def _verb(args: Sequence[str]) -> str:
    """The subcommand among the arguments, after the global options."""
    return next((arg for arg in args if not arg.startswith("-") and "=" not in arg), "")


def start(
    root: str, *args: str, stdin: IO[bytes] | int, errors: IO[bytes] | int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """A git that reads `stdin`, for output too long to be in memory at once; the caller reads and ends it."""
    try:
        line, pipe = command(root, *args), subprocess.PIPE
        return subprocess.Popen(line, env=environment(), stdin=stdin, stdout=pipe, stderr=errors)
    except OSError as error:
        raise GitFailed(f"git cannot be started: {error.strerror}") from None


def list_files(root: str) -> tuple[str, ...] | None:
    """Tracked and untracked files below `root` that git does not ignore, or None where git has no answer."""
    try:
        names = ask(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", timeout=_PATIENCE)
    except GitFailed:
        return None
    # A path with an unmerged entry is listed once per stage.
    return tuple(dict.fromkeys(os.fsdecode(name) for name in names.split(b"\0") if name))


def environment() -> dict[str, str]:
    """The caller's environment without what would point git at another repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
