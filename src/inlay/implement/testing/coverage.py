"""Coverage of the changed files, as coverage.py reports it; where it was not measured, a note says why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileCoverage:
    path: str
    covered: int
    lines: int  #: that can be reached at all
    missing: tuple[int, ...] = ()

    @property
    def percent(self) -> float:
        """Of its lines; a file without any is reached."""
        return 100.0 * self.covered / self.lines if self.lines else 100.0


@dataclass(frozen=True, slots=True)
class Coverage:
    files: tuple[FileCoverage, ...] = ()
    unreached: tuple[str, ...] = ()  #: files that no test even imported
    note: str = ""  #: why it was not measured

    @property
    def percent(self) -> float | None:
        """Of all lines together; None where nothing was measured. A file never imported counts as not covered."""
        if self.note or not (self.files or self.unreached):
            return None
        if self.unreached:
            return sum(file.percent for file in self.files) / (len(self.files) + len(self.unreached))
        total = sum(file.lines for file in self.files)
        return 100.0 * sum(file.covered for file in self.files) / total if total else 100.0


def not_measured(why: str) -> Coverage:
    return Coverage(note=f"not measured: {why}")


def read_coverage(report: bytes, wanted: Mapping[str, str]) -> Coverage:
    """The report of `coverage json` for Python files, each with its name in the report; others are left out."""
    try:
        measured = {path.replace("\\", "/"): lines for path, lines in json.loads(report)["files"].items()}
        files, unreached = [], []
        for path, name in wanted.items():
            if name in measured and path.endswith(".py"):
                reached, missing = tuple(measured[name]["executed_lines"]), tuple(measured[name]["missing_lines"])
                files.append(FileCoverage(path, len(reached), len(reached) + len(missing), missing))
            elif path.endswith(".py"):
                unreached.append(path)
        return Coverage(tuple(files), tuple(unreached))
    except (ValueError, KeyError, TypeError, AttributeError):
        return not_measured("the report of coverage.py cannot be read")
