"""Coverage of the changed files, as coverage.py reports it; what was not measured is said, never guessed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """How much of one file the tests reach."""

    path: str
    covered: int
    lines: int  #: that can be reached at all
    missing: tuple[int, ...] = ()
    reached: tuple[int, ...] = ()

    @property
    def percent(self) -> float:
        """Of its lines; a file without any is reached."""
        return 100.0 * self.covered / self.lines if self.lines else 100.0

    def narrowed(self, lines: Collection[int]) -> FileCoverage:
        """The same of these lines only."""
        missing = tuple(line for line in self.missing if line in lines)
        reached = tuple(line for line in self.reached if line in lines)
        return FileCoverage(self.path, len(reached), len(reached) + len(missing), missing, reached)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the changed files the tests reach."""

    files: tuple[FileCoverage, ...] = ()
    unreached: tuple[str, ...] = ()  #: files that no test even imported
    note: str = ""  #: why it was not measured

    @property
    def percent(self) -> float | None:
        """Of all lines together; None where nothing was measured. A file never imported counts as nothing reached."""
        if self.note or not (self.files or self.unreached):
            return None
        if self.unreached:
            return sum(file.percent for file in self.files) / (len(self.files) + len(self.unreached))
        total = sum(file.lines for file in self.files)
        return 100.0 * sum(file.covered for file in self.files) / total if total else 100.0

    def narrowed(self, lines: Mapping[str, Collection[int]]) -> Coverage:
        """The same of some lines of each file, for one that is changed in a few places; others stay as they are."""
        files = tuple(file.narrowed(lines[file.path]) if file.path in lines else file for file in self.files)
        return Coverage(files, self.unreached, self.note)


def not_measured(why: str) -> Coverage:
    """Coverage that nobody knows."""
    return Coverage(note=f"not measured: {why}")


def read_coverage(report: bytes, wanted: Mapping[str, str]) -> Coverage:
    """The report of `coverage json` for files of Python, each with its name in the report; others are passed over."""
    try:
        measured = {path.replace("\\", "/"): found for path, found in json.loads(report)["files"].items()}
        asked = {path: name for path, name in wanted.items() if path.endswith(".py")}
        files = tuple(_file(path, measured[name]) for path, name in asked.items() if name in measured)
        return Coverage(files, tuple(path for path, name in asked.items() if name not in measured))
    except (ValueError, KeyError, TypeError, AttributeError):
        return not_measured("the report of coverage.py cannot be read")


def _file(path: str, found: dict[str, Any]) -> FileCoverage:
    reached, missing = tuple(found["executed_lines"]), tuple(found["missing_lines"])
    return FileCoverage(path, len(reached), len(reached) + len(missing), missing, reached)
