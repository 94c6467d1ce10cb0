"""Commits and their diffs out of git: one `git diff-tree` for a whole range, read while it is still being written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

from inlay.errors import GitFailed, UnknownCommit
from inlay.git.repository import Repository
from inlay.git.run_git import ask, start

_AT_ONCE = 1 << 20  # bytes
# Whatever the user or the repository has configured, the bytes are the same; names stay readable where they can.
_CONFIG = ("-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false")
_FORM = (
    *("-M", "-U3", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
_DIFF = ("diff-tree", "--stdin", "--root", "--always", "-r", "-p", "--ignore-submodules=none", *_FORM)


@dataclass(frozen=True, slots=True)
class CommitPair:
    """A commit with the parent it is compared to: the first, or none."""

    commit: str
    parent: str | None = None


def list_commits(repo: Repository, revision: str | None = None) -> tuple[CommitPair, ...]:
    """The commits of a range, parents first, or the one commit that is named.

    Without a revision these are the commits not yet upstream, or the last one where there is no upstream. Raises
    UnknownCommit where the revision names nothing.
    """
    if revision is None:
        try:
            return list_commits(repo, "@{upstream}..HEAD")
        except UnknownCommit:
            revision = "HEAD"
    # --no-walk has no effect on a range; without one it lists only the commits that are named.
    how = ("--no-walk", "--topo-order", "--reverse", "--parents", "--end-of-options")
    try:
        lines = ask(repo.root, "rev-list", *how, revision, "--").decode("ascii").splitlines()
    except GitFailed as error:
        raise UnknownCommit(f"{revision!r} names no commits here: {error}") from None
    if not lines and ".." not in revision:
        raise UnknownCommit(f"{revision!r} is no commit")
    return tuple(CommitPair(*line.split()[:2]) for line in lines)


def recent(repo: Repository, before: str, most: int) -> list[str]:
    """The ids of the last commits up to `before` that are no merges; none where it names nothing."""
    try:
        ids = ask(repo.root, "rev-list", "--no-merges", "-n", str(most), "--end-of-options", before, "--")
    except GitFailed:
        return []
    return ids.decode("ascii").split()


def staged_diff(root: str) -> bytes:
    """The staged changes, in a repository without a commit too; empty where there are none."""
    return ask(root, *_CONFIG, "diff", "--cached", *_FORM)


def diffs(repo: Repository, commits: Iterable[CommitPair]) -> Iterator[tuple[str, bytes]]:
    """Each commit with its diff, in the order given; a merge is compared to its first parent."""
    pairs = tuple(commits)
    if not pairs:
        return
    # Without a work tree: attributes of whatever is checked out must not decide what an old commit shows.
    command = (repo.git_dir, "--bare", *_CONFIG, *_DIFF)
    with tempfile.TemporaryFile() as names, tempfile.TemporaryFile() as errors:
        # A file, not a pipe: git may write a lot before it reads on.
        names.write("".join(f"{pair.commit} {pair.parent or ''}".rstrip() + "\n" for pair in pairs).encode())
        names.seek(0)
        process = start(*command, stdin=names, errors=errors)
        assert process.stdout is not None
        try:
            yield from _by_commit(process.stdout, pairs)
            if process.wait() != 0:
                raise EOFError(f"{pairs[-1].commit} cannot be compared to its parent")
        except EOFError as error:
            process.wait()
            errors.seek(0)
            words = errors.read().decode("utf-8", "replace").strip() or "git diff-tree ended early"
            raise GitFailed(f"{error}: {words}") from None
        finally:
            process.kill()  # no one reads on, or it has ended already
            process.communicate()


def _by_commit(output: IO[bytes], pairs: Sequence[CommitPair]) -> Iterator[tuple[str, bytes]]:
    """Cut the stream before each id; lines of a diff never begin with one."""
    reader = _Reader(output)
    reader.until(f"\n{pairs[0].commit}\n".encode())
    for pair, following in pairwise(pairs):
        try:
            diff = reader.until(f"\n{following.commit}\n".encode())
        except EOFError:
            raise EOFError(f"{pair.commit} cannot be compared to its parent") from None
        yield pair.commit, diff
    yield pairs[-1].commit, reader.rest()


class _Reader:
    """A stream that is read up to one line after the other."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._buffer = bytearray(b"\n")  # always begins with the end of the line before

    def until(self, line: bytes) -> bytes:
        """What comes before a line; the line itself is skipped."""
        searched = 0
        while (at := self._buffer.find(line, searched)) < 0:
            searched = max(0, len(self._buffer) - len(line) + 1)
            if not self._more():
                raise EOFError(line.strip().decode())
        before = bytes(memoryview(self._buffer)[1 : at + 1])
        del self._buffer[: at + len(line) - 1]
        return before

    def rest(self) -> bytes:
        while self._more():
            pass
        return bytes(memoryview(self._buffer)[1:])

    def _more(self) -> bool:
        data = os.read(self._descriptor, _AT_ONCE)
        self._buffer += data
        return bool(data)
