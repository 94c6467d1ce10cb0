"""A small project, a commit that does everything a commit can do, and what may be found after it was disturbed."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inlay import Change, ChangeSet, RepoPath, Workspace
from inlay.storage.state import syscalls

Tree = dict[str, tuple[int, bytes | None]]
Action = Callable[[Path], object]

OLD = {
    "a.py": b"old a\r\n",
    "b.py": b"old b\n",
    "src/c.py": b"\xef\xbb\xbfold c\n",
    "keep.txt": b"as it is",
    "run.sh": b"run\n",
}


@contextmanager
def folder() -> Iterator[Path]:
    """A directory for many short lives: in memory where the system has such a place."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="inlay-crash-", dir=memory) as name:
        yield Path(name)


def build(root: Path) -> None:
    """The project as it is before."""
    for name, content in OLD.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (root / "a.py").chmod(0o751)


def commit(root: Path) -> None:
    """An edit, a new file in new directories, a deletion, a move with an edit, a new mode, a new file beside others."""
    workspace = Workspace(root)
    a, b, c, run = (workspace.read(RepoPath(name)) for name in ("a.py", "b.py", "src/c.py", "run.sh"))
    assert a and b and c and run  # noqa: PT018
    changes = (
        Change(a.path, a, "new a\r\n"),
        Change(RepoPath("new/deep/x.py"), None, "new x\n"),
        Change(b.path, b, None),
        Change(c.path, c, "new c\n", move_to=RepoPath("lib/d.py")),
        Change(run.path, run, run.text, executable=True),
        Change(RepoPath("src/e.py"), None, "new e\n", executable=True),
    )
    workspace.commit(ChangeSet(changes), summary="everything")


def undo(root: Path) -> None:
    Workspace(root).undo()


def recover(root: Path) -> None:
    Workspace(root).recover()


def tree(root: Path) -> Tree:
    """Every name outside `.inlay` with its mode and bytes."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(".inlay"):
            mode = stat.S_IMODE(path.lstat().st_mode)
            found[name] = (mode, None if path.is_dir() else path.read_bytes())
    return found


def undisturbed(*actions: Action) -> Tree:
    """What stands there after some actions."""
    with folder() as root:
        build(root)
        for action in actions:
            action(root)
        return tree(root)


class Copies:
    """Fresh copies of a project that has been through some actions."""

    def __init__(self, base: Path, *actions: Action) -> None:
        self._base, self._made = base, 0
        self._pattern = base / "pattern"
        build(self._pattern)
        for action in actions:
            action(self._pattern)

    def fresh(self, pattern: Path | None = None) -> Path:
        self._made += 1
        return Path(shutil.copytree(pattern or self._pattern, self._base / f"copy{self._made}"))


def killed_before(number: int, action: Action, root: Path) -> bool:
    """Run an action in a child that dies before its `number`-th call; False when it came to its end before that."""

    def count(call: str, calls: list[str] = []) -> None:  # noqa: B006 - one list per child
        calls.append(call)
        if len(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return in_child(lambda: action(root), count) == -signal.SIGKILL


def in_child(action: Callable[[], object], hook: Callable[[str], None] | None = None) -> int:
    """The exit code of a child that runs the action, negative for a signal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # forking beside threads: the child runs nothing of theirs
        child = os.fork()
    if child == 0:
        code = 70
        try:
            syscalls.before = hook or syscalls.before
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def left_behind(root: Path) -> list[str]:
    """What of a commit is still lying about in `.inlay`, and what its log has to say for itself."""
    home = root / ".inlay"
    pending = [f"pending/{path.name}" for path in home.glob("pending/*")]
    receipts = {path.stem for path in home.glob("receipts/*.json")}
    backups = [f"backups/{path.name}" for path in home.glob("backups/*") if path.stem not in receipts]
    odd = [str(path) for path in home.glob("kept-*")]
    return pending + backups + odd + list(Workspace(root).verify_log())
