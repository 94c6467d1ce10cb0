"""Failing tests: which of them count, which file to repair, and the output that the model is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from inlay.implement.spec.document import Spec
from inlay.implement.testing.junit import TestResult
from inlay.implement.testing.run_suite import COMMAND, TestRun
from inlay.prompts import sanitise

_MAX_TESTS = 12  # of one file shown at length; the others by name
_MAX_LINES = 40  # of one test
_MAX_REPORTED = 8  # failing tests shown in a repair request; the first ones tell the most
_MAX_OUTPUT = 20_000  # characters of a command that reports no single test
_FRAME = re.compile(r"^(\S+?\.\w+):(\d+): in ", re.MULTILINE)
_ERROR = re.compile(r"^(?:E\s+)?([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Failed))\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileFailures:
    file: str  #: empty where the report does not say
    tests: tuple[str, ...]
    touched: tuple[str, ...]  #: files of the project that the tracebacks pass through, the last first
    text: str  #: for a prompt: safe and short


class Failure(TypedDict):
    """One failing test, as stored in the run's folder."""

    text: str  #: safe and short
    touched: list[str]  #: files that the traceback passes through, the last first


def failures(run: TestRun) -> tuple[FileFailures, ...]:
    """Everything that fails, by test file; where no single test is known, the end of the output."""
    if not run.failed and run.failing:
        head = ["The tests did not end in time."] if run.timed_out else [run.note] if run.note else []
        return (FileFailures("", (), (), "\n".join([*head, *sanitise.lines(run.output, _MAX_LINES)])),)
    files = dict.fromkeys(result.file for result in run.failed)
    return tuple(_file_failures(file, [result for result in run.failed if result.file == file]) for file in files)


def failed_results(run: TestRun) -> list[TestResult]:
    """Everything that failed, including a command without a report."""
    return run.failed or [command_result(run) for id in run.failing if id == COMMAND]


def command_result(run: TestRun) -> TestResult:
    """A failure of the command as if it were a test."""
    reason = run.note or ("it ran out of time" if run.timed_out else f"it exited with code {run.code}")
    if run.code == 0 and not run.note:
        reason = "no test was run"
    return TestResult(COMMAND, "error", message=reason, detail=run.output[-_MAX_OUTPUT:])


def failed_before(suite: TestRun, tests: Collection[str]) -> list[str]:
    """Tests that failed before the run, other than the document's; only a test known by name can be excused."""
    prefixes = tuple(f"{path}::" for path in tests)
    own = {result.id for result in suite.results if result.file in tests or result.id.startswith(prefixes)}
    return sorted(id for id in suite.failing if id != COMMAND and id not in own and id not in tests)


def error_kind(result: TestResult) -> str:
    """The name of the error that a test failed with; empty where it has none."""
    for text in (result.message, *reversed(result.detail.splitlines())):
        if error := _ERROR.match(text):
            return error[1].rpartition(".")[2]
    return "AssertionError" if "assert" in result.message else ""


def failure(result: TestResult) -> Failure:
    report = _file_failures(result.file, [result])
    return {"text": report.text, "touched": list(report.touched)}


def files_to_repair(failing: Mapping[str, Failure], spec: Spec) -> dict[str, list[str]]:
    """Failing tests by the file to repair: the one nearest to the failure, or all where the failure names none."""
    files = [file.path for file in spec.code_files if file.change != "delete"]
    tests: dict[str, list[str]] = {path: [] for path in files}
    for test, details in failing.items():
        nearest = [path for path in details["touched"] if path in files][:1]
        named = [path for path in files if _is_named(path, details["text"])]
        for path in nearest or named or _called(details["text"], files, spec) or files:
            tests[path].append(test)
    return {path: names for path, names in tests.items() if names}


def failure_output(failing: Mapping[str, Failure], tests: Sequence[str]) -> str:
    parts = [failing[test]["text"] for test in tests[:_MAX_REPORTED]]
    if len(tests) > _MAX_REPORTED:
        parts.append(f"… and {len(tests) - _MAX_REPORTED} more tests …")
    return "\n\n".join(parts)


def _file_failures(file: str, results: list[TestResult]) -> FileFailures:
    shown, rest = results[:_MAX_TESTS], results[_MAX_TESTS:]
    lines = []
    for result in shown:
        message = "the file could not be read" if result.collection else sanitise.line(result.message)
        lines += [f"{sanitise.line(result.id)}: {message}", *(f"    {line}" for line in _traceback(result.detail))]
    if rest:
        lines.append(f"… and {len(rest)} more: {sanitise.line(', '.join(result.name for result in rest))}")
    frames = [path for result in results for path, _ in reversed(_FRAME.findall(result.detail))]
    touched = tuple(dict.fromkeys(path for path in frames if not _foreign(path)))
    return FileFailures(file, tuple(result.id for result in results), touched, "\n".join(lines))


def _traceback(detail: str) -> list[str]:
    """The traceback from the first frame in the project on: the frames of the test runner help nobody."""
    lines = detail.strip("\n").split("\n")
    start = next((at for at, line in enumerate(lines) if _FRAME.match(line) and not _foreign(line)), None)
    kept = lines[start:] if start is not None else [line for line in lines if line.startswith("E ")] or lines
    return sanitise.lines("\n".join(kept), _MAX_LINES) if detail.strip() else []


def _foreign(line: str) -> bool:
    return line.startswith(("/", "<", "..")) or "site-packages/" in line


def _is_named(path: str, text: str) -> bool:
    """By its path, or as a module that cannot be imported."""
    steps = re.sub(r"(?:/__init__)?\.\w+$", "", path).split("/")
    modules = [".".join(steps[at:]) for at in range(len(steps)) if len(steps) - at > 1] or steps
    return path in text or any(f"'{module}'" in text for module in modules)


def _called(text: str, files: Sequence[str], spec: Spec) -> list[str]:
    """The files of the functions that a test calls, where only the test itself is in the traceback."""
    called = {
        signature.file
        for signature in spec.signatures
        if re.search(rf"\b{re.escape(signature.name.rpartition('.')[2])}\b", text)
    }
    return [path for path in files if path in called]
