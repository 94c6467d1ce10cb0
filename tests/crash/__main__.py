"""`make crash`: at length what the tests do briefly, and the same through the command itself under strace.

Each part prints one line with its figures; a figure that must be zero and is not ends the run with 1.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import races
import rewritings
import scene

CHANGING = (
    "openat,write,pwrite64,ftruncate,rename,renameat,renameat2,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,fchmod,fchown,"
    "fsync,fsetxattr"
).split(",")
REPLY = """\
*** Begin Patch
*** Update File: a.py
@@
-old a
+new a
*** Add File: new/deep/x.py
+x = 1
*** Delete File: b.py
*** Update File: src/c.py
*** Move to: lib/d.py
@@
-old c
+c = 1
*** Add File: src/e.py
+e = 1
*** End Patch
"""


def verdict(root: Path, allowed: tuple[scene.Tree, ...]) -> str:
    scene.recover(root)
    found = "fine" if scene.tree(root) in allowed else "bad"
    return found if not scene.left_behind(root) else "debris"


def double_kills() -> dict[str, int]:
    """Every call of a commit, and for each every call of the recovery after it."""
    states = (scene.undisturbed(), scene.undisturbed(scene.commit))
    tally: Counter[str] = Counter()
    with scene.folder() as base:
        copies = scene.Copies(base)
        for first in range(1, 1000):
            killed = copies.fresh()
            if not scene.killed_before(first, scene.commit, killed):
                break
            for second in range(1, 1000):
                root = copies.fresh(killed)
                died = scene.killed_before(second, scene.recover, root)
                tally[verdict(root, states)] += 1
                shutil.rmtree(root)
                if not died:
                    break
            shutil.rmtree(killed)
    return dict(tally)


def random_kills(runs: int = 1000) -> dict[str, int]:
    """At any moment of a commit, between calls as well as in them."""
    states = (scene.undisturbed(), scene.undisturbed(scene.commit))
    tally: Counter[str] = Counter()
    with scene.folder() as base:
        copies = scene.Copies(base)
        first = copies.fresh()
        began = time.monotonic()
        scene.in_child(lambda: scene.commit(first))
        span = time.monotonic() - began
        for _ in range(runs):
            root = copies.fresh()
            tally["killed" if _killed_after(random.uniform(0, span), root) else "finished first"] += 1
            tally[verdict(root, states)] += 1
            shutil.rmtree(root)
    return dict(tally)


def _killed_after(delay: float, root: Path) -> bool:
    child = os.fork()
    if child == 0:
        scene.commit(root)
        os._exit(0)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def lost_updates() -> dict[str, int]:
    with scene.folder() as root:
        lost, conflicts, commits = races.lost_updates(root, 6000)
    return {"bad": lost, "conflicts": conflicts, "commits": commits}


def link_swaps() -> dict[str, int]:
    with scene.folder() as base:
        escaped, refused = races.escapes(base, 20_000)
    return {"bad": escaped, "tries": 20_000, "refused": refused}


def many_writers() -> dict[str, int]:
    with scene.folder() as root:
        counted = races.counted_together(root, 8, 200)
    return {"bad": 1600 - counted, "counted": counted}


def run_boundaries() -> dict[str, int]:
    """A run of the workflow on three files killed before and after every checkpoint and every step, then resumed."""
    interrupted = _interrupted()
    with scene.folder() as base:
        tried, bad = interrupted.boundaries(base)
    return {"bad": len(bad), "killed": tried}


def run_moments() -> dict[str, int]:
    """The same killed at random moments."""
    interrupted = _interrupted()
    with scene.folder() as base:
        died, bad = interrupted.moments(base, 200)
    return {"bad": len(bad), "killed": died, "finished first": 200 - died}


def _interrupted() -> ModuleType:
    sys.path.insert(0, str(Path(__file__).parents[1]))  # where the project that is implemented lies
    return import_module("interrupted")


def under_strace() -> dict[str, int]:
    """The command killed before each call that changes something as the kernel counts them, so that none is missed."""
    if not _has_strace():
        return {"skipped, there is no strace": 0}
    tally: Counter[str] = Counter()
    with scene.folder() as base:
        old, new = _pattern(base / "old"), _pattern(base / "new")
        calls = _calls(new)
        states = (scene.tree(old), scene.tree(new))
        for number, (call, nth) in enumerate(calls):
            root = Path(shutil.copytree(old, base / str(number)))
            _strace(root, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={nth}")
            tally[verdict(root, states)] += 1
            shutil.rmtree(root)
    return dict(tally)


def rewriting_tree() -> dict[str, int]:
    """A rewriting of messages and its undo, git and all of us killed before each call of git that changes something."""
    if not _has_strace():
        return {"skipped, there is no strace": 0}
    tally: Counter[str] = Counter()
    for action, before in ((rewritings.reword, ()), (rewritings.undo, (rewritings.reword,))):
        with scene.folder() as base:
            pattern = rewritings.build(base / "pattern")
            for earlier in before:
                earlier(pattern)
            old = rewritings.state(Path(shutil.copytree(pattern, base / "old", symlinks=True)))
            action(Path(shutil.copytree(pattern, base / "new", symlinks=True)))
            states = (old, rewritings.state(base / "new"))
            for number, (at, call, nth) in enumerate(list(rewritings.calls(pattern, action))):
                root = Path(shutil.copytree(pattern, base / str(number), symlinks=True))
                rewritings.disturbed(root, action, SWEEP_AT=str(at), SWEEP_CALL=call, SWEEP_WHEN=str(nth))
                tally[_found(root, states)] += 1
                shutil.rmtree(root)
    return dict(tally)


def _found(root: Path, states: tuple[tuple[str, bool], ...]) -> str:
    try:
        return "fine" if rewritings.state(root) in states else "bad"
    except AssertionError:
        return "bad"


def _has_strace() -> bool:
    if not shutil.which("strace") and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run("apt-get -qq update && apt-get -qq -y install strace", shell=True, stdout=subprocess.DEVNULL)
    return shutil.which("strace") is not None


def _pattern(root: Path) -> Path:
    for name, text in (("a.py", "old a\n"), ("b.py", "old b\n"), ("src/c.py", "old c\n"), ("reply.md", REPLY)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def _strace(root: Path, *options: str, log: str = "/dev/null") -> None:
    command = ["strace", "-f", "-qq", "-y", "-o", log, *options, sys.executable, "-m", "inlay", "apply", "--force"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    subprocess.run([*command, "--no-check", "reply.md"], cwd=root, env=environment, capture_output=True)


def _calls(root: Path) -> list[tuple[str, int]]:
    """The calls that touch the project, each with its number among its kind."""
    log = root.with_suffix(".log")
    _strace(root, "-e", f"trace={','.join(CHANGING)}", log=str(log))
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, int], None] = {}
    for line in log.read_text(errors="replace").splitlines():
        if match := re.match(r"(\d+)\s+(\w+)\((.*)", line):
            process, call, rest = match.groups()
            seen[process, call] += 1
            if str(root) in rest and (call != "openat" or "O_CREAT" in rest):
                found[call, seen[process, call]] = None
    return list(found)


PARTS: tuple[Callable[[], dict[str, int]], ...] = (
    double_kills,
    random_kills,
    lost_updates,
    link_swaps,
    many_writers,
    run_boundaries,
    run_moments,
    under_strace,
    rewriting_tree,
)


def main() -> int:
    wanted, bad = sys.argv[1:], 0
    for part in PARTS:
        if wanted and part.__name__ not in wanted:
            continue
        began = time.monotonic()
        found = part()
        bad += found.get("bad", 0) + found.get("debris", 0)
        told = ", ".join(f"{name} {count}" for name, count in sorted(found.items()))
        sys.stdout.write(f"{part.__name__:<14} {told}  ({time.monotonic() - began:.0f} s)\n")
        sys.stdout.flush()
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
