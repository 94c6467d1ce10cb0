"""The pytest plugin of `make mutants`: measures which test executes which lines, or runs chosen tests in order.

It is configured by environment variables, which the workers of xdist inherit:
MUTANTS_MAP     folder to write the measurement to
MUTANTS_SOURCE  folder whose lines are measured
MUTANTS_TESTS   JSON file with the tests to run, in order, each with its time limit in seconds
MUTANTS_LAST    file to write the name of the current test to; a newline follows at the end of the run
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

_MEMORY = 6 << 30  # bytes; a mutant may loop for ever and allocate on the way
_COLLECTION = 120.0  # time limit in seconds
_STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec")


def pytest_configure(config: pytest.Config) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    is_controller = config.getoption("numprocesses", None) and "PYTEST_XDIST_WORKER" not in os.environ
    if "MUTANTS_MAP" in os.environ and not is_controller:
        config.pluginmanager.register(_Mapper(Path(os.environ["MUTANTS_MAP"]), os.environ["MUTANTS_SOURCE"]))
    if "MUTANTS_TESTS" in os.environ:
        config.pluginmanager.register(_Chosen(json.loads(Path(os.environ["MUTANTS_TESTS"]).read_text())))


class _Chosen:
    """Runs only these tests, in this order, and exits when one exceeds its time limit."""

    def __init__(self, limits: dict[str, float]) -> None:
        self._limits = limits
        self._watch("", _COLLECTION)

    def _watch(self, name: str, seconds: float) -> None:
        Path(os.environ["MUTANTS_LAST"]).write_text(name)
        # It does not need the interpreter, so it also interrupts a regular expression.
        faulthandler.dump_traceback_later(seconds, exit=True)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self._limits]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._watch(nodeid, self._limits[nodeid])

    def pytest_sessionfinish(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        with Path(os.environ["MUTANTS_LAST"]).open("a") as last:
            last.write("\n")


class _Mapper:
    """Records for each test its duration and outcome, whether it started a program, and the lines it executed."""

    def __init__(self, folder: Path, source: str) -> None:
        import coverage

        self._folder = folder
        self._source = source
        self._coverage = coverage.Coverage(data_file=None, include=[f"{source}/*"], config_file=False)
        self._coverage.start()
        self._starts = False
        self._tests: dict[str, dict[str, object]] = {}
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _STARTS:
            command = arguments[1] if event == "subprocess.Popen" else None
            is_git = isinstance(command, list | tuple) and Path(str(command[0])).name == "git"
            self._starts = self._starts or not is_git

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._coverage.switch_context(item.nodeid)
        self._starts = False
        test = self._tests.setdefault(item.nodeid, {"passed": True})
        start = time.perf_counter()
        try:
            return (yield)
        finally:
            test |= {"seconds": time.perf_counter() - start, "starts": self._starts}
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._tests[report.nodeid]["passed"] = False

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            os.path.relpath(file, self._source): {
                line: [name for name in names if name] for line, names in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        (self._folder / f"{os.getpid()}.json").write_text(json.dumps({"tests": self._tests, "lines": lines}))
