"""Proves that the tests named in tests/requirements.toml notice: breaks each requirement in a copy, and runs its tests.

`make requirements` proves all of them; `python tests/requirements/prove.py 324-R1 173-S` some. `--find` only looks up
the lines to break, which takes a second and is what to run after sources have moved.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import venv
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "tests/requirements.toml"
BREAKS = ROOT / "tests/requirements/breaks.toml"
_LEFT_OUT = (".git", ".venv", ".stamps", ".*_cache", "__pycache__", ".hypothesis", ".fuzz", ".coverage*")
_FAILED = 1  # pytest's exit code where tests ran and failed; an import that fails is a 2
_SECONDS = 600  # for the tests of one row; a break must make them fail, not hang


class Unusable(Exception):
    """A break that cannot be made: its text is not in the sources exactly once, or the result is no Python."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement, addressed by what it is in and not by where that lives: files move."""

    symbol: str  #: qualified name of a function or class in any module; empty for the top level of a module
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Break:
    """One way to break a requirement."""

    requirement: str
    what: str  #: what is no longer true, in words
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text to be replaced is."""

    path: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests of a requirement did about a break of it."""

    broken: Break
    failed: str  #: the first test that failed, and how; empty where none did
    code: int  #: of pytest
    output: str
    seconds: float


def read_breaks(data: Mapping[str, Any]) -> list[Break]:
    """The breaks in the order of the file."""
    return [
        Break(name, entry["what"], tuple(_edit(each) for each in (entry, *entry.get("also", ()))))
        for name, entries in data.items()
        for entry in entries
    ]


def _edit(entry: Mapping[str, str]) -> Edit:
    return Edit(entry.get("symbol", ""), entry["old"], entry["new"])


# --- finding the lines ----------------------------------------------------------------------------------------------

Sources = Mapping[Path, str]


def sources(folder: Path) -> Sources:
    """The text of every module."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def apply(broken: Break, texts: Sources) -> Sources:
    """The modules that a break changes, as they are then; raises Unusable where that cannot be done."""
    changed: dict[Path, str] = {}
    for edit in broken.edits:
        place = find(edit, {**texts, **changed})
        text = changed.get(place.path, texts[place.path])
        changed[place.path] = text[: place.start] + edit.new + text[place.end :]
    for path, text in changed.items():
        try:
            ast.parse(text)  # a module that does not parse would be noticed by any test
        except SyntaxError as error:
            raise Unusable(f"{path.name} does not parse any more: {error}") from None
    return changed


def find(edit: Edit, texts: Sources) -> Place:
    """The one place of a text in the sources; raises Unusable where there is none, or more than one."""
    places = [place for path in texts for place in _places(edit, path, texts[path])]
    if len(places) != 1:
        where = f"in {edit.symbol}" if edit.symbol else "in the sources"
        raise Unusable(f"found {len(places)} times {where}: {edit.old!r}{_hint(edit, texts)}")
    return places[0]


def _places(edit: Edit, path: Path, text: str) -> Iterator[Place]:
    if edit.old not in text:
        return
    for first, last in _ranges(edit.symbol, text):
        at = text.find(edit.old, first, last)
        while at >= 0:
            yield Place(path, at, at + len(edit.old))
            at = text.find(edit.old, at + 1, last)


def _ranges(symbol: str, text: str) -> list[tuple[int, int]]:
    """Where a symbol begins and ends, in characters; the whole text for no symbol."""
    return _symbols(text).get(symbol, []) if symbol else [(0, len(text))]


@cache
def _symbols(text: str) -> Mapping[str, list[tuple[int, int]]]:
    """Where every symbol of a module begins and ends, in characters."""
    starts = list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
    ranges: dict[str, list[tuple[int, int]]] = {}
    for name, node in _definitions(ast.parse(text), ""):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        ranges.setdefault(name, []).append((starts[first], starts[node.end_lineno or 0]))
    return ranges


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, _Definition]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Definition):
            yield prefix + child.name, child
            yield from _definitions(child, f"{prefix}{child.name}.")
        else:
            yield from _definitions(child, prefix)


def _hint(edit: Edit, texts: Sources) -> str:
    """The line that comes closest, for when something was renamed."""
    lines = [
        line.strip()
        for text in texts.values()
        for first, last in _ranges(edit.symbol, text) or ([(0, len(text))] if edit.old in text else [])
        for line in text[first:last].splitlines()
    ]
    close = difflib.get_close_matches(edit.old.strip().splitlines()[0], lines, n=1, cutoff=0.4)
    return f"; the closest line is {close[0]!r}" if close else ""


# --- breaking a copy ------------------------------------------------------------------------------------------------


class Copy:
    """A copy of the project with an environment of its own, so that every process that a test starts uses it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "inlay"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
        environment = self.root / ".venv"
        venv.create(environment, symlinks=True)
        (packages,) = environment.glob("lib/python*/site-packages")
        (packages / "copy.pth").write_text(f"{self.root / 'src'}\n{sysconfig.get_path('purelib')}\n")
        self.python = environment / "bin/python"

    def test(self, tests: Sequence[str], *options: str) -> tuple[int, str]:
        """Exit code and output of pytest."""
        command = [str(self.python), "-m", "pytest", "-q", "-rfE", "--no-header", "--tb=short", *options, *tests]
        # Its own, because pytest removes the directories of earlier runs, and two at once get in each other's way.
        command.append(f"--basetemp={self.root.parent / 'tmp'}")
        process = subprocess.Popen(
            [*command, "-p", "no:cacheprovider"],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"COLUMNS": "300"},  # or the reasons of failures are cut off
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return -1, f"{output}\ntook longer than {_SECONDS} seconds"
        return process.returncode, output

    def prove(self, broken: Break, tests: Sequence[str]) -> Result:
        """Break it, run the tests until one fails, and put everything back."""
        began = time.monotonic()
        before = sources(self.root / "src")
        changed = apply(broken, before)
        try:
            for path, text in changed.items():
                _write(path, text)
            code, output = self.test(tests, "-x")
        finally:
            for path in changed:
                _write(path, before[path])
        failed = [line.removeprefix("FAILED ") for line in output.splitlines() if line.startswith("FAILED ")]
        noticed = failed[0] if code == _FAILED and failed else ""
        return Result(broken, noticed, code, output, time.monotonic() - began)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # Python compares the time in seconds and the size, which a quick edit may leave as they are.
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


# --- the command ----------------------------------------------------------------------------------------------------


def prove(breaks: Sequence[Break], tests: Mapping[str, Sequence[str]], jobs: int) -> Iterator[Result]:
    """A result for every break, as they come; raises SystemExit where a test fails with nothing broken."""
    with tempfile.TemporaryDirectory(prefix="inlay-requirements-") as folder:
        copies: queue.Queue[Copy] = queue.Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder, str(number))))
        named = sorted({test for broken in breaks for test in tests[broken.requirement]})
        code, output = copies.queue[0].test(named, "-n", str(jobs))
        if code:
            sys.exit(f"{output}\nThese tests must pass before anything is broken.")

        def one(broken: Break) -> Result:
            copy = copies.get()
            try:
                return copy.prove(broken, tests[broken.requirement])
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(one, breaks)


def unusable(breaks: Sequence[Break]) -> list[str]:
    """What is wrong with the breaks themselves."""
    texts, problems = sources(ROOT / "src"), []
    with tempfile.TemporaryDirectory(prefix="inlay-requirements-") as folder:
        for number, broken in enumerate(breaks):
            label = f"{broken.requirement}: {broken.what}"
            try:
                changed = apply(broken, texts)
            except Unusable as problem:
                problems.append(f"{label}: {problem}")
                continue
            for path, text in changed.items():
                Path(folder, f"{number} {path.name}").write_text(text, encoding="utf-8")
        # A name that is gone is noticed by any test, and so proves nothing.
        undefined = ("ruff", "check", "--isolated", "--select", "F821", "--output-format", "concise", ".")
        ruff = subprocess.run([sys.executable, "-m", *undefined], cwd=folder, capture_output=True, text=True)
        assert ruff.returncode in (0, 1), ruff.stderr
    for line in ruff.stdout.splitlines():
        number, _, name = line.partition(" ")
        if number.isdecimal():
            broken = breaks[int(number)]
            problems.append(f"{broken.requirement}: {broken.what}: {name}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("requirements", nargs="*", metavar="ID", help="prove only these")
    parser.add_argument("--find", action="store_true", help="only look up the lines to break")
    parser.add_argument("-n", "--jobs", type=int, default=2)
    chosen = parser.parse_args()
    requirements = tomllib.loads(REQUIREMENTS.read_text(encoding="utf-8"))
    breaks = read_breaks(tomllib.loads(BREAKS.read_text(encoding="utf-8")))
    names = chosen.requirements or list(requirements)
    if unknown := [name for name in names if name not in requirements]:
        parser.error(f"no such requirement: {', '.join(unknown)}")
    breaks = [broken for broken in breaks if broken.requirement in names]
    problems = [f"{name}: nothing breaks it" for name in names if not any(each.requirement == name for each in breaks)]
    problems += unusable(breaks)
    if not problems and not chosen.find:
        tests = {name: requirement["shown_by"] for name, requirement in requirements.items()}
        for result in prove(breaks, tests, chosen.jobs):
            line = f"{result.broken.requirement}: {result.broken.what} ({result.seconds:.0f} s)"
            print(f"{'noticed' if result.failed else 'MISSED '} {line} {result.failed}", flush=True)
            if not result.failed:
                problems.append(f"not noticed: {line}, pytest ended with {result.code}\n{result.output}")
    print(*problems, sep="\n")
    print(f"{len(breaks)} breaks of {len(names)} requirements, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
