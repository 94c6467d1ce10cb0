"""What failing tests tell the model: file by file, the relevant lines only, made safe."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inlay.implement.testing.junit import TestResult
from inlay.implement.testing.run_suite import TestRun
from inlay.prompts import sanitise

_MOST_TESTS = 12  # told about at length; the others by name
_MOST_LINES = 40  # of one test
_FRAME = re.compile(r"^(\S+?\.\w+):(\d+): in ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileFailures:
    """What fails in one test file."""

    file: str  #: empty where the report does not say
    tests: tuple[str, ...]
    touched: tuple[str, ...]  #: files of the project that the tracebacks pass through, the last first
    text: str  #: for a prompt: safe and short


def failures(run: TestRun) -> tuple[FileFailures, ...]:
    """Everything that fails, by test file; where no single test is known, the end of the output."""
    bad = [result for result in run.results if result.outcome in ("failed", "error")]
    if not bad:
        return () if not run.failing else (FileFailures("", (), (), "\n".join(_tail(run))),)
    files = dict.fromkeys(result.file for result in bad)
    return tuple(_told(file, [result for result in bad if result.file == file]) for file in files)


def _tail(run: TestRun) -> list[str]:
    head = ["The tests did not end in time."] if run.timed_out else [run.note] if run.note else []
    return [*head, *sanitise.lines(run.output, _MOST_LINES)]


def _told(file: str, results: list[TestResult]) -> FileFailures:
    shown, rest = results[:_MOST_TESTS], results[_MOST_TESTS:]
    lines = [line for result in shown for line in _lines(result)]
    lines += [f"… and {len(rest)} more: {sanitise.line(', '.join(each.name for each in rest))}"] if rest else []
    return FileFailures(file, tuple(each.id for each in results), _touched(results), "\n".join(lines))


def _lines(result: TestResult) -> list[str]:
    said = sanitise.line(result.message) if not result.collection else "the file could not be read"
    return [f"{sanitise.line(result.id)}: {said}", *(f"    {line}" for line in _relevant(result.detail))]


def _relevant(detail: str) -> list[str]:
    """The traceback from the first frame in the project on: how the test runner got there helps nobody."""
    lines = detail.strip("\n").split("\n")
    start = next((at for at, line in enumerate(lines) if _FRAME.match(line) and not _foreign(line)), None)
    kept = lines[start:] if start is not None else [line for line in lines if line.startswith("E ")] or lines
    return sanitise.lines("\n".join(kept), _MOST_LINES) if detail.strip() else []


def _touched(results: list[TestResult]) -> tuple[str, ...]:
    frames = [frame for result in results for frame in reversed(_FRAME.findall(result.detail))]
    return tuple(dict.fromkeys(path for path, _ in frames if not _foreign(path)))


def _foreign(line: str) -> bool:
    return line.startswith(("/", "<", "..")) or "site-packages/" in line
