"""Running a project's tests: pytest by default, any other command by its exit code and the JUnit XML it leaves."""

from __future__ import annotations

import posixpath
import shlex
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from inlay.implement.spec.document import TestPlan
from inlay.implement.testing.coverage import Coverage, not_measured, read_coverage
from inlay.implement.testing.junit import ReportUnreadable, TestResult, read_report
from inlay.model.file import RepoPath
from inlay.model.settings import Settings
from inlay.processes import python_env
from inlay.processes.command import Finished, left_since, run_reported

ResultSource: TypeAlias = Literal["pytest", "junit", "exit"]
COMMAND = "(the command itself)"  #: the id of a failure that belongs to no single test
_SHELL = frozenset("|&;<>()$`\\\n*?{")  # and what stands for the tests or the report
# The family names the file of each test. A project's own `-x` would hide all failures but one.
_PYTEST = (
    "--junitxml={junit} -o junit_family=xunit1 -p no:cacheprovider --tb=short --color=no --maxfail=0 "
    "--continue-on-collection-errors -q"
).split()
# Bytecode is trusted by time and size, and a file that is rewritten within a second may keep both.
_ENVIRON = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}


@dataclass(frozen=True, slots=True)
class TestSetup:
    __test__ = False

    command: str | None = None  #: for the shell; None for pytest. `{tests}` and `{junit}` stand for what they say
    cwd: str | None = None  #: relative to the root
    timeout: float = 600.0
    junit: str | None = None  #: the report that the command writes, relative to `cwd`
    coverage: float | None = None  #: percent of the changed files that is wanted
    environ: Mapping[str, str] = field(default_factory=dict)  #: added for the tests
    stop: threading.Event | None = None  #: set to end the tests early


@dataclass(frozen=True, slots=True)
class TestRun:
    __test__ = False

    results: tuple[TestResult, ...]
    code: int
    output: str
    seconds: float
    source: ResultSource  #: what the results were read from; "exit" knows no single test
    timed_out: bool = False
    note: str = ""  #: why there are no results, where there should be
    coverage: Coverage | None = None

    @property
    def ok(self) -> bool:
        """Whether everything passed and at least one test was run; skipped tests show nothing."""
        ran = self.source == "exit" or any(result.outcome == "passed" for result in self.results)
        return self.code == 0 and not self.timed_out and not self.note and ran and not self.failing

    @property
    def failed(self) -> list[TestResult]:
        return [result for result in self.results if result.outcome in ("failed", "error")]

    @property
    def failing(self) -> frozenset[str]:
        """The tests and files that fail, comparable from run to run."""
        if self.failed or (self.code == 0 and not self.timed_out and not self.note):
            return frozenset(result.id for result in self.failed)
        return frozenset({COMMAND})

    @property
    def passing(self) -> frozenset[str]:
        return frozenset(result.id for result in self.results if result.outcome == "passed")

    def summary(self) -> str:
        """One line: "5 passed, 1 failed in 0.4 s"."""
        counts = {kind: sum(result.outcome == kind for result in self.results) for kind in _COUNTED}
        numbers = ", ".join(f"{count} {_COUNTED[kind]}" for kind, count in counts.items() if count)
        ended = "ran out of time" if self.timed_out else f"exited with code {self.code}"
        return f"{numbers or ended} in {self.seconds:.1f} s"


_COUNTED = {"passed": "passed", "failed": "failed", "error": "in error", "skipped": "skipped"}


def setup(plan: TestPlan, settings: Settings) -> TestSetup:
    """How to run the tests: what is configured, then what the document says, then the defaults."""
    timeout = settings.number("implement.test_timeout")
    default = settings.origins["implement.test_timeout"] == "default"
    return TestSetup(
        command=settings.text("implement.test_command") or plan.command,
        cwd=settings.text("implement.test_cwd") or plan.cwd,
        timeout=(plan.timeout if default and plan.timeout else timeout) or 600.0,
        junit=settings.text("implement.junit"),
        coverage=settings.number("implement.coverage") or plan.coverage,
    )


def run_tests(root: str, how: TestSetup, tests: Sequence[str] = (), *, measure: Sequence[str] = ()) -> TestRun:
    """Run the named files or tests, or all there are; `measure` names files whose coverage is wanted.

    A command that takes no `{tests}` is run as it is, whatever is named.
    """
    cwd = posixpath.join(root, RepoPath(how.cwd.rstrip("/")).value) if how.cwd else root
    named = [_relative(test, how.cwd) for test in tests]
    if how.command is None:
        return _pytest(root, cwd, how, named, measure)
    # A command that is pytest, perhaps behind a runner such as `poetry run`; not a script.
    words = shlex.split(how.command) if _SHELL.isdisjoint(how.command) else []
    if any(posixpath.basename(word) in ("pytest", "py.test") for word in words):
        return _reported([*words, *_PYTEST, *named], cwd, how, "pytest", measure)
    command = how.command.replace("{tests}", shlex.join(named))
    reports = how.junit is not None or "{junit}" in how.command or "INLAY_JUNIT" in how.command
    return _reported(command, cwd, how, "junit" if reports else "exit", measure)


def _pytest(root: str, cwd: str, how: TestSetup, tests: Sequence[str], measure: Sequence[str]) -> TestRun:
    python = python_env.for_tests(root)
    words = ["-m", "pytest", f"--rootdir={cwd}", *_PYTEST, *tests]
    if not measure or "coverage" not in python.has:
        run = _reported([python.path, *words], cwd, how, "pytest", ())
        missing = not_measured(f"coverage is not installed for {python.path}")
        return replace(run, coverage=missing) if measure else run
    own = ["--no-cov"] if "pytest_cov" in python.has else []  # two measurements at once disturb each other
    wrapped = f"{shlex.quote(python.path)} -m coverage run --rcfile=/dev/null --data-file={{data}}"
    only = shlex.quote("--include=" + ",".join(_relative(path, how.cwd) for path in measure))
    quoted = " ".join(word if word == "--junitxml={junit}" else shlex.quote(word) for word in [*words, *own])
    # One shell, so that the report is written under the same time-out, and the tests' own exit code is kept.
    command = (
        f"{wrapped} {only} {quoted}; code=$?; {shlex.quote(python.path)} -m coverage json "
        f"--rcfile=/dev/null --data-file={{data}} -o {{coverage}} -q --ignore-errors >/dev/null 2>&1; exit $code"
    )
    return _reported(command, cwd, how, "pytest", measure)


def _reported(
    command: str | Sequence[str], cwd: str, how: TestSetup, source: ResultSource, measure: Sequence[str]
) -> TestRun:
    started = time.time()
    done, left = run_reported(
        command,
        cwd=cwd,
        timeout=how.timeout,
        leaves=("junit", "coverage", "data"),
        environ=_ENVIRON | dict(how.environ),
        stop=how.stop,
    )
    report = left.get("junit") or (left_since(posixpath.join(cwd, how.junit), started) if how.junit else None)
    run = _read(done, report, source, how.cwd)
    if not measure:
        return run
    if measured := left.get("coverage"):
        return replace(run, coverage=read_coverage(measured, {path: _relative(path, how.cwd) for path in measure}))
    reason = "the test command does not measure it" if how.command else "no test reached a file"
    return replace(run, coverage=not_measured(reason))


def _read(done: Finished, report: bytes | None, source: ResultSource, cwd: str | None) -> TestRun:
    results: tuple[TestResult, ...] = ()
    note = ""
    if report:
        try:
            results, source = read_report(report), "junit" if source == "exit" else source
        except ReportUnreadable as error:
            note = str(error)
    elif source != "exit":
        note = "the tests ended without a report" if not done.timed_out else ""
    if cwd:
        results = tuple(_moved(result, cwd) for result in results)
    return TestRun(results, done.code, done.output, done.seconds, source, done.timed_out, note)


def _moved(result: TestResult, cwd: str) -> TestResult:
    """A result with its file and test as the project names them, not relative to where the tests ran."""
    if not result.file:
        return result
    file = posixpath.normpath(posixpath.join(cwd, result.file))
    return replace(result, file=file, id=file + result.id.removeprefix(result.file))


def _relative(path: str, cwd: str | None) -> str:
    if not cwd:
        return path
    file, separator, rest = path.partition("::")
    return posixpath.relpath(file, cwd) + separator + rest
