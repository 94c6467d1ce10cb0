"""`make mutants`: change the code in 40 small places, one at a time, and check that a test fails.

Each mutant is applied to a copy of the tree. Only the tests that execute its lines are run there, the fastest first.
Which tests these are is measured by one run of the whole suite, and cached in .stamps until src or tests change. The
command fails when more than one mutant in 20 survives.

mutmut and cosmic-ray do not fit: mutmut mutates every line it is given and cannot sample by a seed, and cosmic-ray runs
the whole suite for every mutant.
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
_UNMEASURED = 60.0  # seconds of tests that start programs, whose lines are not measured
_SLACK, _FACTOR = 20.0, 10.0  # a test times out after these seconds, plus so many times its usual duration
_COLLECTION_FAILED = 2  # exit code of pytest


@dataclass(frozen=True, slots=True)
class Result:
    """Whether the tests caught a mutant."""

    mutant: Mutant
    outcome: str  #: "caught", "timeout" or "survived"
    test: str  #: the one that failed
    tests: int  #: how many could have failed
    seconds: float


class Suite:
    """All tests, with the lines that each executes and its duration."""

    def __init__(self, coverage: dict[str, Any]) -> None:
        self._tests: dict[str, dict[str, Any]] = coverage["tests"]
        self._lines: dict[str, dict[str, list[int]]] = coverage["lines"]  # tests by their index
        self.unusable = sorted(name for name, test in self._tests.items() if not test["passed"])

    def limits(self, mutant: Mutant) -> dict[str, float]:
        """The tests that can fail, the fastest first, each with its time limit in seconds.

        Those that execute its lines come first, then some that start programs, whose lines are not measured.
        """
        names = list(self._tests)
        lines = self._lines.get(mutant.path.as_posix(), {})
        covering = {names[index] for line in range(mutant.line, mutant.last + 1) for index in lines.get(str(line), ())}
        if not covering:  # executed by the import, if at all: any test of the module may depend on it
            covering = {names[index] for indexes in lines.values() for index in indexes}
        chosen = self._fastest_first(covering)
        seconds = 0.0
        for name in self._fastest_first({name for name in names if self._tests[name]["starts"]} - covering):
            seconds += self._tests[name]["seconds"]
            chosen += [name] if seconds <= _UNMEASURED else []
        return {name: _SLACK + _FACTOR * self._tests[name]["seconds"] for name in chosen}

    def _fastest_first(self, names: set[str]) -> list[str]:
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

    def pytest(self, *arguments: str, **settings: str) -> tuple[int, str]:
        """Run tests; returns the exit code and the output."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("INLAY_", "PYTHON"))}
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
                *arguments,
            ],
            cwd=self.root,
            env={**inherited, "PYTHONPATH": str(self.root / "tests/mutants"), "COVERAGE_CORE": "ctrace", **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate()
        finally:
            self.kill()  # processes that interrupted tests left running
        return process.returncode, output

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            if self._process is not None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def first_failure(self, limits: dict[str, float]) -> tuple[str, str] | None:
        """Run these tests until one fails or times out; its name is "" if the tests cannot be collected."""
        chosen, last = self.root / "chosen.json", self.root / "last"
        chosen.write_text(json.dumps(limits))
        last.write_text("")
        files = sorted({name.partition("::")[0] for name in limits})
        arguments = ("-x", f"--basetemp={self.root / 'tmp'}", *files)
        code, output = self.pytest(*arguments, MUTANTS_TESTS=str(chosen), MUTANTS_LAST=str(last))
        if code == 0:
            return None
        if code > _COLLECTION_FAILED:
            raise SystemExit(f"pytest failed to start:\n{output[-3000:]}")
        name, finished, _ = last.read_text().partition("\n")
        return "caught" if finished else "timeout", name

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        file = self.root / PACKAGE / mutant.path
        file.write_text(mutant.changed, encoding="utf-8", newline="")
        try:
            yield
        finally:
            file.write_text(mutant.source, encoding="utf-8", newline="")


def main(argv: Sequence[str]) -> int:
    """Test the mutants and print the results; 0 when enough were caught."""
    parser = argparse.ArgumentParser(prog="python tests/mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="picks the mutants (default %(default)s)")
    parser.add_argument("--count", type=int, default=40, help="mutants (default %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="mutants tested at a time (default %(default)s)")
    parser.add_argument("--targets", default=TARGETS, help="folders and modules to mutate (default %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the mutants as diffs and run no tests")
    options = parser.parse_args(argv)
    chosen = _picked(options.targets.split(","), options.count, options.seed)
    if not chosen:
        parser.error(f"no module in {options.targets} below {PACKAGE}")
    if options.list:
        print("\n".join(mutant.diff for mutant in chosen))
        return 0
    with tempfile.TemporaryDirectory(prefix="inlay-mutants-") as folder:
        copies = [_copied(Path(folder, str(number))) for number in range(options.workers)]
        suite = _suite(copies[0])
        results = _tested(chosen, suite, copies)
    _print(results)
    caught = sum(result.outcome != "survived" for result in results)
    print(f"\nseed {options.seed}: {caught} of {len(results)} mutants caught")
    return 0 if caught >= LEAST * len(results) else 1


def _picked(targets: Sequence[str], count: int, seed: int) -> list[Mutant]:
    candidates: list[Mutant] = []
    for file in modules(ROOT / PACKAGE, targets):
        candidates += mutants(file.relative_to(ROOT / PACKAGE), file.read_text(encoding="utf-8"))
    return pick(candidates, count, seed)


def _copied(folder: Path) -> Copy:
    folder.mkdir()
    return Copy(folder)


# Which test executes which lines.


def _suite(copy: Copy) -> Suite:
    cache = STAMPS / f"mutants-{_digest()}.json"
    if not cache.exists():
        print("Running the whole suite once to measure which lines each test executes …", flush=True)
        coverage = json.dumps(_measured(copy))
        for old in STAMPS.glob("mutants-*.json"):
            old.unlink()
        STAMPS.mkdir(exist_ok=True)
        cache.write_text(coverage)
    suite = Suite(json.loads(cache.read_text()))
    if suite.unusable:
        print(f"{len(suite.unusable)} tests do not pass in an unchanged copy and are ignored:")
        print("\n".join(f"  {name}" for name in suite.unusable), flush=True)
    return suite


def _digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(path for name in ("src", "tests") for path in (ROOT / name).rglob("*") if path.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _measured(copy: Copy) -> dict[str, Any]:
    folder = copy.root / "map"
    folder.mkdir()
    code, output = copy.pytest("-n2", MUTANTS_MAP=str(folder), MUTANTS_SOURCE=str(copy.root / PACKAGE))
    if code not in (0, 1):
        raise SystemExit(f"pytest failed in a copy of the tree:\n{output[-3000:]}")
    parts = [json.loads(part.read_text()) for part in folder.iterdir()]
    tests = {name: test for part in parts for name, test in part["tests"].items()}
    indexes = {name: index for index, name in enumerate(tests)}  # names would make the cache 15 times as large
    lines: dict[str, dict[str, list[int]]] = {}
    for part in parts:
        for file, names_by_line in part["lines"].items():
            for line, names in names_by_line.items():
                lines.setdefault(file, {}).setdefault(line, []).extend(indexes[name] for name in names)
    return {"tests": tests, "lines": lines}


# Testing the mutants.


def _tested(chosen: Sequence[Mutant], suite: Suite, copies: Sequence[Copy]) -> list[Result]:
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def test(mutant: Mutant) -> Result:
        copy = free.get()
        try:
            return _result(mutant, suite.limits(mutant), copy)
        finally:
            free.put(copy)

    results: list[Result] = []
    with ThreadPoolExecutor(len(copies)) as pool:
        try:
            for done in as_completed([pool.submit(test, mutant) for mutant in chosen]):
                results.append(done.result())
                print(f"{f'[{len(results)}/{len(chosen)}]':>8} {_row(results[-1])}", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.kill()
            raise
    return sorted(results, key=lambda result: (result.mutant.path, result.mutant.line))


def _result(mutant: Mutant, limits: dict[str, float], copy: Copy) -> Result:
    start = time.monotonic()
    remaining = dict(limits)
    outcome, test = "survived", ""
    while remaining:
        with copy.mutated(mutant):
            failure = copy.first_failure(remaining)
        if failure is None:
            break
        outcome, test = failure
        # A test that also fails without the mutant proves nothing; go on behind it.
        if not test or not copy.first_failure({test: remaining[test]}):
            break
        names = list(remaining)
        remaining = {name: remaining[name] for name in names[names.index(test) + 1 :]}
        outcome, test = "survived", ""
    if outcome != "survived" and not test:
        test = "(the tests cannot be collected)"
    return Result(mutant, outcome, test, len(limits), time.monotonic() - start)


def _row(result: Result) -> str:
    place = f"{result.mutant.path}:{result.mutant.line}"
    return f"{result.outcome:<8} {result.mutant.kind:<10} {place:<44} {result.seconds:4.0f} s  {result.test}"


def _print(results: Sequence[Result]) -> None:
    kinds = sorted({result.mutant.kind for result in results})
    print("\nkind        mutants  caught")
    for kind in kinds:
        group = [result for result in results if result.mutant.kind == kind]
        print(f"{kind:<10} {len(group):8} {sum(result.outcome != 'survived' for result in group):7}")
    for result in (result for result in results if result.outcome == "survived"):
        print(f"\nsurvived {result.tests} tests:\n{result.mutant.diff}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
