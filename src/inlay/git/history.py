"""Commits and their diffs out of git: one `git diff-tree` for a whole range, read while it is still being written."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

from inlay.errors import GitFailed, UnknownCommit
from inlay.git.run_git import ask, start

_AT_ONCE = 1 << 20  # bytes
# Whatever the user or the repository has configured, the bytes are the same; names stay readable where they can.
_CONFIG = ("-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false")
_DIFF = (
    "diff-tree --stdin --root --always -r -p -M -U3 --full-index --no-color --no-ext-diff --no-textconv "
    "--submodule=short --ignore-submodules=none --src-prefix=a/ --dst-prefix=b/"
).split()


@dataclass(frozen=True, slots=True)
class CommitPair:
    """A commit with the parent it is compared to: the first, or none."""

    commit: str
    parent: str | None


def steps(root: str, revision: str) -> tuple[CommitPair, ...]:
    """The commits of a range, oldest first, or the one commit that is named."""
    if revision.startswith("-"):
        raise UnknownCommit(f"not a commit or a range: {revision!r}")
    try:
        named = ask(root, "rev-parse", "--revs-only", revision, "--").decode().split()
    except GitFailed as error:
        raise UnknownCommit(_first_line(error)) from None
    if not named:
        raise UnknownCommit(f"not a commit or a range: {revision!r}")
    one = len(named) == 1 and not named[0].startswith("^")
    walk = ["--no-walk"] if one else ["--reverse", "--topo-order"]
    lines = ask(root, "rev-list", "--parents", *walk, "--stdin", stdin="\n".join([*named, ""]).encode())
    found = tuple(_step(line.split()) for line in lines.decode().splitlines())
    if one and not found:
        raise UnknownCommit(f"{revision!r} is no commit")
    return found


def _first_line(error: GitFailed) -> str:
    return str(error).split("\n", 1)[0].removeprefix("git rev-parse: ")


def _step(ids: Sequence[str]) -> CommitPair:
    return CommitPair(ids[0], ids[1] if len(ids) > 1 else None)


def diffs(root: str, wanted: Iterable[CommitPair]) -> Iterator[tuple[str, bytes]]:
    """Each commit with its diff, in the order given; a merge is compared to its first parent."""
    listed = tuple(wanted)
    if not listed:
        return
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        # A file, not a pipe: git may write a lot before it reads on.
        given.write("".join(f"{step.commit} {step.parent or ''}".rstrip() + "\n" for step in listed).encode())
        given.seek(0)
        with _ended(start(*_bare(root), *_DIFF, stdin=given, complaints=complaints)) as process:
            assert process.stdout is not None
            try:
                yield from _by_commit(process.stdout, listed)
            except EOFError as short:
                process.wait()
                raise GitFailed(f"{short}: {_said(complaints)}") from None
            if process.wait() != 0:
                raise GitFailed(f"{listed[-1].commit} cannot be compared to its parent: {_said(complaints)}")


def _said(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return complaints.read().decode("utf-8", "replace").strip() or "git diff-tree ended early"


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()  # nobody reads on, or it has ended already
        process.communicate()


def _bare(root: str) -> list[str]:
    """git without a work tree: attributes of whatever is checked out must not decide what an old commit shows."""
    folder = os.fsdecode(ask(root, "rev-parse", "--absolute-git-dir").rstrip(b"\n"))
    return [folder, "--bare", *_CONFIG]


def _by_commit(output: IO[bytes], listed: Sequence[CommitPair]) -> Iterator[tuple[str, bytes]]:
    """Cut the stream before each id; lines of a diff never begin with one."""
    reader = _Reader(output)
    reader.until(f"\n{listed[0].commit}\n".encode())
    for step, following in pairwise(listed):
        try:
            diff = reader.until(f"\n{following.commit}\n".encode())
        except EOFError:
            raise EOFError(f"{step.commit} cannot be compared to its parent") from None
        yield step.commit, diff
    yield listed[-1].commit, reader.rest()


class _Reader:
    """A stream that is read up to one line after the other."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._buffer = bytearray(b"\n")  # always begins with the end of the line before

    def until(self, line: bytes) -> bytes:
        """What stands before a line; it is passed over."""
        searched = 0
        while (at := self._buffer.find(line, searched)) < 0:
            searched = max(0, len(self._buffer) - len(line) + 1)
            if not self._more():
                raise EOFError(line.strip().decode())
        found = bytes(memoryview(self._buffer)[1 : at + 1])
        del self._buffer[: at + len(line) - 1]
        return found

    def rest(self) -> bytes:
        while self._more():
            pass
        return bytes(memoryview(self._buffer)[1:])

    def _more(self) -> bool:
        data = os.read(self._descriptor, _AT_ONCE)
        self._buffer += data
        return bool(data)


class Objects:
    """Asks one `git cat-file` about many objects; started only when the first is asked about."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()

    def size(self, name: str) -> int:
        """Bytes of an object, 0 where the repository does not have it."""
        return int(self._asked("info", name)[1])

    def read(self, name: str) -> bytes | None:
        """The content of an object, named as git names them; None where there is none."""
        stream, size = self._asked("contents", name)
        if size == "0" and stream is None:
            return None
        assert stream is not None
        content = stream.read(int(size))
        stream.read(1)
        return content

    def _asked(self, what: str, name: str) -> tuple[IO[bytes] | None, str]:
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(os.fsencode(f"{what} {name}\n"))
        process.stdin.flush()
        said = process.stdout.readline().split()
        return (process.stdout, said[2].decode()) if len(said) == 3 and said[2].isdigit() else (None, "0")

    def _start(self) -> subprocess.Popen[bytes]:
        return start(*_bare(self._root), "cat-file", "--batch-command", stdin=subprocess.PIPE)
