"""`make mutants`: changes the program in 40 small places, one at a time, and sees whether a test notices.

Each mutant is put into a copy of the tree, where the tests run that run its lines, the quick ones first. Which tests
these are is learned from one run of all of them, and kept in .stamps until src or tests change. It fails when more than
one mutant in 20 survives.

Neither mutmut nor cosmic-ray is used: the one mutates every line of what it is given and has no seed to pick by, the
other runs the whole suite for every mutant.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mutator import Mutant, modules, mutants, pick  # noqa: E402

ROOT = HERE.parents[1]
STAMPS = ROOT / ".stamps"
PACKAGE = Path("src/inlay")
TARGETS = "engine,storage/transaction,landing"
COPIED = ("src", "tests", "bench", "examples", "docs")
LEAST = 0.95  #: of the mutants must be caught
_UNSEEN = 60.0  # seconds of tests that start programs, which run lines unseen
_SLACK, _TIMES = 20.0, 10.0  # seconds, and times as long as without a mutant, before a test counts as endless
_UNCOLLECTED = 2  # the exit code of pytest for modules that cannot be imported


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant."""

    mutant: Mutant
    outcome: str  #: "caught", "endless" or "survived"
    by: str  #: the test that noticed
    tests: int  #: that there were to notice
    seconds: float


class Suite:
    """All the tests: which lines each runs, and how long it takes."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._tests: dict[str, dict[str, Any]] = told["tests"]
        self._lines: dict[str, dict[str, list[int]]] = told["lines"]  # the tests by their place among all
        self.unusable = sorted(name for name, test in self._tests.items() if not test["passed"])

    def limits(self, mutant: Mutant) -> dict[str, float]:
        """The tests that may notice, quick ones first, each with the seconds it may take.

        After those that run its lines come some that start programs, where lines are run unseen.
        """
        names = list(self._tests)
        lines = self._lines.get(mutant.path.as_posix(), {})
        hit = {names[at] for line in range(mutant.line, mutant.last + 1) for at in lines.get(str(line), ())}
        if not hit:  # run by an import, if at all: any test of the module may depend on it
            hit = {names[at] for places in lines.values() for at in places}
        chosen = self._quick_first(hit)
        seconds = 0.0
        for name in self._quick_first({name for name in names if self._tests[name]["starts"]} - hit):
            seconds += self._tests[name]["seconds"]
            chosen += [name] if seconds <= _UNSEEN else []
        return {name: _SLACK + _TIMES * self._tests[name]["seconds"] for name in chosen}

    def _quick_first(self, names: set[str]) -> list[str]:
        passed = [name for name in names if self._tests[name]["passed"]]
        return sorted(passed, key=lambda name: (self._tests[name]["seconds"], name))


class Copy:
    """A copy of the tree with an interpreter of its own, so that child processes import the copy as well."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self._process: subprocess.Popen[str] | None = None
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
        for file in (path for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".coverage")):
            shutil.copy2(file, folder / file.name)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
        self.python = str(folder / ".venv/bin/python")
        (site,) = (folder / ".venv/lib").glob("python*/site-packages")
        packages = next(path for path in sys.path if path.endswith("site-packages"))
        (site / "copy.pth").write_text(f"{folder / 'src'}\n{packages}\n")
        script = folder / ".venv/bin/inlay"
        script.write_text(f"#!{self.python}\nimport runpy\nrunpy.run_module('inlay', run_name='__main__')\n")
        script.chmod(0o755)
        # By hash: two mutants of one file within a second may be of the same length.
        compiling = ("-m", "compileall", "-q", "--invalidation-mode", "checked-hash", str(folder / "src"))
        subprocess.run([self.python, *compiling], check=True)

    def pytest(self, *words: str, **settings: str) -> tuple[int, str]:
        """Run tests; the exit code and what was printed."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("INLAY_", "PYTHON"))}
        self._process = process = subprocess.Popen(
            [
                self.python,
                "-m",
                "pytest",
                "-q",
                "-p",
                "plugin",
                "-p",
                "no:cacheprovider",
                "--hypothesis-seed=0",
                *words,
            ],
            cwd=self.root,
            env={**kept, "PYTHONPATH": str(self.root / "tests/mutants"), "COVERAGE_CORE": "ctrace", **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate()
        finally:
            self.kill()  # what tests that were cut off have left running
        return process.returncode, said

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            if self._process is not None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def first_failure(self, limits: dict[str, float]) -> tuple[str, str] | None:
        """Run these tests until one fails or is endless; which one, or "" where they cannot be collected."""
        names, last = self.root / "chosen.json", self.root / "last"
        names.write_text(json.dumps(limits))
        files = sorted({name.partition("::")[0] for name in limits})
        words = ("-x", f"--basetemp={self.root / 'tmp'}", *files)
        code, said = self.pytest(*words, MUTANTS_TESTS=str(names), MUTANTS_LAST=str(last))
        if code == 0:
            return None
        if code > _UNCOLLECTED:
            raise SystemExit(f"the tests could not be started:\n{said[-3000:]}")
        name, ended, _ = last.read_text().partition("\n")
        return "caught" if ended else "endless", name

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        file = self.root / PACKAGE / mutant.path
        file.write_text(mutant.changed, encoding="utf-8", newline="")
        try:
            yield
        finally:
            file.write_text(mutant.source, encoding="utf-8", newline="")


def main(argv: Sequence[str]) -> int:
    """Make mutants and tell what became of them; 0 when enough were caught."""
    parser = argparse.ArgumentParser(prog="python tests/mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="picks the mutants (default %(default)s)")
    parser.add_argument("--count", type=int, default=40, help="mutants (default %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="mutants tried at a time (default %(default)s)")
    parser.add_argument("--targets", default=TARGETS, help="folders and modules to change (default %(default)s)")
    parser.add_argument("--list", action="store_true", help="show the mutants as diffs, and run nothing")
    options = parser.parse_args(argv)
    chosen = _picked(options.targets.split(","), options.count, options.seed)
    if not chosen:
        parser.error(f"there is no module in {options.targets} below {PACKAGE}")
    if options.list:
        print("\n".join(mutant.diff for mutant in chosen))
        return 0
    with tempfile.TemporaryDirectory(prefix="inlay-mutants-") as folder:
        copies = [_copied(Path(folder, str(number))) for number in range(options.workers)]
        suite = _suite(copies[0])
        fates = _tried(chosen, suite, copies)
    _print(fates)
    caught = sum(fate.outcome != "survived" for fate in fates)
    print(f"\nseed {options.seed}: {caught} of {len(fates)} mutants were caught")
    return 0 if caught >= LEAST * len(fates) else 1


def _picked(targets: Sequence[str], count: int, seed: int) -> list[Mutant]:
    found = modules(ROOT / PACKAGE, targets)
    made = [m for file in found for m in mutants(file.relative_to(ROOT / PACKAGE), file.read_text(encoding="utf-8"))]
    return pick(made, count, seed)


def _copied(folder: Path) -> Copy:
    folder.mkdir()
    return Copy(folder)


# Which test runs what.


def _suite(copy: Copy) -> Suite:
    kept = STAMPS / f"mutants-{_digest()}.json"
    if not kept.exists():
        print("running all tests once to learn which lines each of them runs; some minutes", flush=True)
        learned = json.dumps(_learned(copy))
        for old in STAMPS.glob("mutants-*.json"):
            old.unlink()
        STAMPS.mkdir(exist_ok=True)
        kept.write_text(learned)
    suite = Suite(json.loads(kept.read_text()))
    if suite.unusable:
        print(f"{len(suite.unusable)} tests do not pass in a copy of the tree, and are left out:")
        print("\n".join(f"  {name}" for name in suite.unusable), flush=True)
    return suite


def _digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(path for name in ("src", "tests") for path in (ROOT / name).rglob("*") if path.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _learned(copy: Copy) -> dict[str, Any]:
    folder = copy.root / "map"
    folder.mkdir()
    code, said = copy.pytest("-n2", MUTANTS_MAP=str(folder), MUTANTS_SOURCE=str(copy.root / PACKAGE))
    if code not in (0, 1):
        raise SystemExit(f"the tests cannot be run in a copy of the tree:\n{said[-3000:]}")
    parts = [json.loads(part.read_text()) for part in folder.iterdir()]
    tests = {name: test for part in parts for name, test in part["tests"].items()}
    places = {name: at for at, name in enumerate(tests)}  # a number for each, or the names would be repeated for ever
    lines: dict[str, dict[str, list[int]]] = {}
    for file, line, names in (
        (f, n, names) for part in parts for f, by in part["lines"].items() for n, names in by.items()
    ):
        lines.setdefault(file, {}).setdefault(line, []).extend(places[name] for name in names)
    return {"tests": tests, "lines": lines}


# What becomes of each mutant.


def _tried(chosen: Sequence[Mutant], suite: Suite, copies: Sequence[Copy]) -> list[Fate]:
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant) -> Fate:
        copy = free.get()
        try:
            return _fate(mutant, suite.limits(mutant), copy)
        finally:
            free.put(copy)

    fates: list[Fate] = []
    with ThreadPoolExecutor(len(copies)) as pool:
        try:
            for done in as_completed([pool.submit(one, mutant) for mutant in chosen]):
                fates.append(done.result())
                print(f"{f'[{len(fates)}/{len(chosen)}]':>8} {_told(fates[-1])}", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.kill()
            raise
    return sorted(fates, key=lambda fate: (fate.mutant.path, fate.mutant.line))


def _fate(mutant: Mutant, limits: dict[str, float], copy: Copy) -> Fate:
    began = time.monotonic()
    left = dict(limits)
    outcome, by = "survived", ""
    while left:
        with copy.mutated(mutant):
            failure = copy.first_failure(left)
        if failure is None:
            break
        if not failure[1] or not copy.first_failure({failure[1]: left[failure[1]]}):
            outcome, by = failure[0], failure[1] or "(the tests cannot be collected)"
            break
        # It fails without the mutant as well, so it shows nothing. Those before it have passed.
        names = list(left)
        left = {name: left[name] for name in names[names.index(failure[1]) + 1 :]}
    return Fate(mutant, outcome, by, len(limits), time.monotonic() - began)


def _told(fate: Fate) -> str:
    place = f"{fate.mutant.path}:{fate.mutant.line}"
    return f"{fate.outcome:<8} {fate.mutant.kind:<10} {place:<44} {fate.seconds:4.0f} s  {fate.by}"


def _print(fates: Sequence[Fate]) -> None:
    kinds = sorted({fate.mutant.kind for fate in fates})
    print("\nkind        mutants  caught")
    for kind in kinds:
        group = [fate for fate in fates if fate.mutant.kind == kind]
        print(f"{kind:<10} {len(group):8} {sum(fate.outcome != 'survived' for fate in group):7}")
    for fate in (fate for fate in fates if fate.outcome == "survived"):
        print(f"\nsurvived {fate.tests} tests:\n{fate.mutant.diff}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
