"""A repository whose messages are rewritten, a git that dies when it is told to, and what may be found after it did."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import scene

from inlay import commits
from inlay.commits import rewrite
from inlay.git.repository import open_repository

GIT = shutil.which("git") or "git"
CHANGING = "openat,write,rename,renameat,linkat,link,unlink,unlinkat,rmdir,mkdir,mkdirat,chmod,fchmod,fsync,fdatasync"
# Counts the calls of git that go through it. Before call number AT it kills whoever called it, or, where a system call
# is named, it has git itself killed before that one, and then the caller.
_WRAPPER = """\
#!/bin/sh
n=$(cat "$SWEEP/count" 2>/dev/null); n=$((n + 1)); echo $n > "$SWEEP/count"
[ "$n" = "$SWEEP_AT" ] || exec {git} "$@"
if [ -n "$SWEEP_LOG" ]; then
  exec strace -f -qq -y -o "$SWEEP_LOG" -e trace={calls} {git} "$@"
elif [ -n "$SWEEP_CALL" ]; then
  strace -f -qq -o /dev/null -e trace="$SWEEP_CALL" -e inject="$SWEEP_CALL:signal=KILL:when=$SWEEP_WHEN" {git} "$@"
fi
kill -9 $PPID
"""
_PERSON = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "1700000000 +0100"}
_IDENTITY = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _PERSON.items()}


def git(root: Path, *arguments: str) -> str:
    environment = {**os.environ, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run([GIT, *arguments], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"git {arguments}: {done.stderr}"
    return done.stdout.strip()


def build(root: Path) -> Path:
    """Four commits, and the wrapper beside them."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    for number in range(4):
        (root / f"{number}").write_text("x")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"Added {number}")
    wrapper = root.parent / "bin/git"
    wrapper.parent.mkdir(exist_ok=True)
    wrapper.write_text(_WRAPPER.format(git=GIT, calls=CHANGING))
    wrapper.chmod(0o755)
    return root


def reword(root: Path) -> None:
    """Two of four messages change, so three commits do."""
    messages = {git(root, "rev-parse", "HEAD~2"): "Add 1", git(root, "rev-parse", "HEAD"): "Add 3"}
    with open_repository(str(root)) as repo:
        planned = rewrite.plan(repo, messages)
        assert planned is not None
        rewrite.carry_out(repo, planned, now=lambda: 1_700_000_000)


def undo(root: Path) -> None:
    commits.undo(str(root))


def state(root: Path) -> tuple[str, bool]:
    """The history, and whether it can be taken back; fails where a person would be stuck."""
    commits.recover(str(root))
    history = git(root, "log", "--format=%H %T %s")
    tip = git(root, "rev-parse", "HEAD")
    refs = git(root, "for-each-ref", "--format=%(refname)", "refs/inlay/backup").split()
    can_undo = any(f"\nnew {tip}" in git(root, "cat-file", "tag", ref) for ref in refs)
    assert git(root, "status", "--porcelain") == ""
    git(root, "fsck", "--strict")
    assert not list((root / ".git").rglob("*.lock"))
    git(root, "commit", "-q", "--allow-empty", "-m", "life goes on")
    git(root, "reset", "-q", "--soft", "HEAD~1")
    return history, can_undo


def disturbed(root: Path, action: scene.Action, **how: str) -> int:
    """Run an action in a child whose git is the wrapper; its exit code, negative for a signal."""
    sweep = root.parent / f"{root.name}.sweep"
    sweep.mkdir()
    path = f"{root.parent / 'bin'}:{os.environ['PATH']}"

    def act() -> None:
        os.environ.update({**how, "SWEEP": str(sweep), "PATH": path})
        action(root)

    return scene.in_child(act)


def calls(root: Path, action: scene.Action) -> Iterator[tuple[int, str, int]]:
    """Every state-changing system call of every git of an action: number of the git, name, number of the call."""
    for at in range(1, 100):
        copy = Path(shutil.copytree(root, root.parent / f"log{at}", symlinks=True))
        log = root.parent / f"log{at}.txt"
        disturbed(copy, action, SWEEP_AT=str(at), SWEEP_LOG=str(log))
        if not log.exists():
            return
        seen: Counter[str] = Counter()
        for line in log.read_text(errors="replace").splitlines():
            name = line.split(" ", 1)[-1].lstrip().split("(", 1)[0]
            seen[name] += 1
            if str(copy) in line and (name != "openat" or "O_CREAT" in line or "O_RDWR" in line):
                yield at, name, seen[name]
