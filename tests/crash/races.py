"""Others at work at the same time: who writes to the same file, who swaps links in, who commits as well."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scene import in_child

from inlay import Change, ChangeSet, InlayError, RepoPath, StaleFile, Workspace
from inlay.storage.state import syscalls


@contextmanager
def beside(action: Callable[[], None]) -> Iterator[int]:
    """Another process that runs an action until we are done."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    try:
        yield child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _replaces(file: Path, content: str) -> None:
    beside_it = file.with_name("theirs.tmp")
    beside_it.write_text(content)
    beside_it.replace(file)


def _overwrites(file: Path, content: str) -> None:
    file.write_text(content)


def _dawdles(file: Path, content: str) -> None:
    with file.open("w") as stream:
        time.sleep(random.random() / 500)
        stream.write(content)


def lost_updates(root: Path, trials: int) -> tuple[int, int, int]:
    """Races between a commit and somebody who writes to the file; (lost, conflicts, commits).

    The other one always gets to write, so their content must be there in the end, whoever came first.
    """
    file, go, done = root / "f.txt", os.pipe(), os.pipe()

    def other() -> None:
        while trial := os.read(go[0], 8):
            time.sleep(random.random() / 100)
            random.choice((_replaces, _overwrites, _dawdles))(file, f"theirs {int(trial)}")
            os.write(done[1], b"x")

    lost = conflicts = commits = 0
    with beside(other):
        for trial in range(trials):
            file.write_text("base\n")
            workspace = Workspace(root)
            before = workspace.read(RepoPath("f.txt"))
            os.write(go[1], f"{trial:08}".encode())
            try:
                workspace.commit(ChangeSet((Change(RepoPath("f.txt"), before, "ours\n"),)))
                commits += 1
            except StaleFile:
                conflicts += 1
            os.read(done[0], 1)
            lost += file.read_text() != f"theirs {trial}"
    return lost, conflicts, commits


def escapes(base: Path, tries: int) -> tuple[int, int]:
    """Reads and writes below a directory that is swapped with a link to the outside again and again."""
    root, outside = base / "root", base / "outside"
    (root / "d").mkdir(parents=True)
    outside.mkdir()
    (root / "d/f.txt").write_text("inside\n")
    (outside / "f.txt").write_text("secret\n")
    (root / "link").symlink_to(outside)

    def other() -> None:
        here = os.open(root, os.O_RDONLY)
        while True:
            syscalls.exchange("d", here, "link", here)
            time.sleep(random.random() / 5000)

    found = refused = 0
    with beside(other):
        for number in range(tries):
            read, went_through = _attempt(Workspace(root), number)
            refused += not went_through
            found += "secret" in read
    found += sorted(path.name for path in outside.iterdir()) != ["f.txt"]
    found += (outside / "f.txt").read_text() != "secret\n"
    return found, refused


def _attempt(workspace: Workspace, number: int) -> tuple[str, bool]:
    read = ""
    try:
        file = workspace.read(workspace.locate("d/f.txt"))
        read = file.text if file else ""
        if number % 5 == 0:
            workspace.commit(ChangeSet((Change(RepoPath(f"d/n{number}.txt"), None, "new\n"),)))
    except InlayError:
        return read, False
    return read, True


def counted_together(root: Path, writers: int, each: int) -> int:
    """How far many processes count in one file, each trying again when another was first."""
    (root / "count.txt").write_text("0\n")

    def count() -> None:
        workspace, left = Workspace(root, wait=300), each
        while left:
            before = workspace.read(RepoPath("count.txt"))
            assert before is not None
            after = f"{int(before.text) + 1}\n"
            try:
                workspace.commit(ChangeSet((Change(RepoPath("count.txt"), before, after),)))
                left -= 1
            except StaleFile:
                continue

    children = []
    for _ in range(writers):
        child = os.fork()
        if child == 0:
            os._exit(in_child(count) != 0)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0] * writers
    return int((root / "count.txt").read_text())
