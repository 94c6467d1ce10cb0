"""Finds changes that drop suspiciously much, as when a model sends a summary in place of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding

#: A replaced file of more lines than this must keep at least the share below, or it is an error.
LONG_FILE = 100
#: Files shorter than this shrink by half for all kinds of good reasons.
SHORT_FILE = 20
#: The share of its lines that a file should keep.
SMALLEST_SHARE = 0.5
#: Located edits that drop more lines than this are worth a look whatever the size of the file.
MANY_LINES = 100


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error where a whole file was sent anew and most of it is gone, a warning for lesser cases."""
    if change.before is None or change.after is None:
        return
    before, after = _count(change.before.text), _count(change.after)
    severity = _severity(before, after, is_located=bool(change.matches))
    if severity:
        message = f"leaves {after} of {before} lines" if change.matches else f"replaces {before} lines with {after}"
        yield Finding("shrinkage", severity, change.target, 0, message)


def _severity(before: int, after: int, *, is_located: bool) -> Literal["error", "warning"] | None:
    is_halved = after < before * SMALLEST_SHARE
    if is_located:
        return "warning" if before - after > MANY_LINES or (is_halved and before > SHORT_FILE) else None
    if is_halved and (before > LONG_FILE or after == 0):
        return "error"
    return "warning" if is_halved and before > SHORT_FILE else None


def _count(text: str) -> int:
    return text.count("\n") + bool(text and not text.endswith("\n"))
