"""Earlier versions of one file out of git: by blob id, by revision, or all of them, newest first."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.errors import GitFailed, UnknownCommit
from inlay.git import run_git
from inlay.git.objects import ObjectReader


@dataclass(frozen=True, slots=True)
class FileVersion:
    commit: str
    content: bytes


def by_id(root: str, id: str) -> bytes | None:
    """The blob whose id begins with `id`; None where the repository has none, or several."""
    return _read(root, id)


def at_revision(root: str, revision: str, paths: list[str]) -> dict[str, bytes]:
    """The files that a revision has, by path relative to `root`; raises UnknownCommit where it names no commit."""
    try:
        verify = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        commit = run_git.ask(root, *verify).decode("ascii").strip()
    except GitFailed:
        raise UnknownCommit(f"{revision[:200]!r} is no file and names no commit here") from None
    contents = ((path, _read(root, f"{commit}:./{path}")) for path in paths)
    return {path: content for path, content in contents if content is not None}


def _read(root: str, name: str) -> bytes | None:
    objects = ObjectReader(root)
    try:
        return objects.blob(name)
    except GitFailed:
        return None
    finally:
        objects.close()


def newest_first(root: str, path: str, *, most: int, seconds: float) -> Iterator[FileVersion]:
    """The file as each of the last commits that changed it left it; ends early when the time is over."""
    command = ("--literal-pathspecs", "rev-list", "-n", str(most), "HEAD", "--", path)
    objects = ObjectReader(root)
    try:
        process = run_git.start(root, *command, stdin=subprocess.DEVNULL)
    except GitFailed:
        return

    def end() -> None:
        process.kill()
        objects.kill()

    # Git may look through a long history between two answers, or fetch what it does not have.
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            commit = os.fsdecode(line).strip()
            content = objects.blob(f"{commit}:./{path}")
            if content is not None:
                yield FileVersion(commit, content)
    except GitFailed:
        return
    finally:
        timer.cancel()
        process.kill()
        process.communicate()
        objects.close()
