"""Commit objects read from git, however many, one after the other."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO

from inlay.errors import GitFailed, UnknownCommit
from inlay.git import run_git


def listed(root: str, revision: str) -> list[str]:
    """The ids that a range or a commit means, oldest first; a plain revision means that one commit.

    Raises UnknownCommit where it means nothing.
    """
    how = ("--topo-order", "--reverse") if ".." in revision else ("--no-walk",)
    try:
        found = run_git.ask(root, "rev-list", *how, "--end-of-options", revision, "--").decode("ascii").split()
    except GitFailed as error:
        raise UnknownCommit(f"{revision!r} names no commits here: {error}") from None
    if not found and ".." not in revision:
        raise UnknownCommit(f"{revision!r} is no commit")
    return found


def recent(root: str, before: str, most: int) -> list[str]:
    """The ids of the last commits up to `before` that are no merges; none where it means nothing."""
    try:
        found = run_git.ask(root, "rev-list", "--no-merges", "-n", str(most), "--end-of-options", before, "--")
    except GitFailed:
        return []
    return found.decode("ascii").split()


def default_range(root: str) -> str:
    """What is not yet upstream, or the last commit where there is no upstream."""
    try:
        run_git.ask(root, "rev-parse", "--verify", "--quiet", "@{upstream}")
    except GitFailed:
        return "HEAD"
    return "@{upstream}..HEAD"


def read(root: str, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Every object with its id, in the order asked for; one process, and only one object in memory at a time."""
    with tempfile.TemporaryFile() as wanted:
        left = 0
        for each in ids:
            wanted.write(f"{each}\n".encode("ascii"))
            left += 1
        wanted.seek(0)
        process = run_git.start(root, "--no-replace-objects", "cat-file", "--batch", stdin=wanted)
        try:
            assert process.stdout is not None
            while header := process.stdout.readline():
                left -= 1
                yield _object(header, process.stdout)
            if left:
                raise GitFailed("git cat-file ended before it had told everything")
        finally:
            _finish(process)


def blob(root: str, name: str) -> bytes | None:
    """The content of a file by its name in a revision (`HEAD:file`); None where there is none."""
    try:
        return run_git.ask(root, "cat-file", "blob", name)
    except GitFailed:
        return None


def _object(header: bytes, stream: IO[bytes]) -> tuple[str, bytes]:
    words = header.decode("ascii", "replace").split()
    if len(words) != 3 or words[1] != "commit":
        raise GitFailed(f"git cat-file: {' '.join(words)}")
    data = stream.read(int(words[2]))
    stream.read(1)
    return words[0], data


def _finish(process: subprocess.Popen[bytes]) -> None:
    """A reader that stopped early leaves nothing behind."""
    if process.stdout is not None:
        process.stdout.close()
    process.terminate()
    process.wait()
