"""Finds changes that remove suspiciously much, as when a model sends a summary in place of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding
from inlay.text.diff import lost_lines
from inlay.text.lines import count_lines

_LONG_FILE = 100  # lines; a replaced file that is longer must keep the share below, or it is an error
_SHORT_FILE = 20  # lines; a shorter file shrinks by half for all kinds of good reasons
_SMALLEST_SHARE = 0.5  # of its lines that a file should keep
_MANY_LINES = 100  # located edits that drop more are worth a look whatever the size of the file


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error where a whole file was sent again and most of it is gone, a warning for lesser cases."""
    if change.before is None or change.after is None:
        return
    before, after = count_lines(change.before.text), count_lines(change.after)
    severity = _severity(before, after, is_located=bool(change.matches))
    if severity:
        message = f"leaves {after} of {before} lines" if change.matches else f"replaces {before} lines with {after}"
        yield Finding("shrinkage", severity, change.target, 0, message)


def _severity(before: int, after: int, *, is_located: bool) -> Literal["error", "warning"] | None:
    is_halved = after < before * _SMALLEST_SHARE
    if is_located:
        return "warning" if before - after > _MANY_LINES or (is_halved and before > _SHORT_FILE) else None
    if is_halved and (before > _LONG_FILE or after == 0):
        return "error"
    return "warning" if is_halved and before > _SHORT_FILE else None


def large_removal(before: str, after: str, threshold: int) -> str:
    """What a person must decide about, in words: more lines go than the threshold, or over half of the file."""
    existing = count_lines(before)
    if existing <= min(_SHORT_FILE, threshold):
        return ""
    lost = lost_lines(before, after)
    if lost > threshold:
        return f"removes {lost} of {existing} lines, and over {threshold} needs a decision"
    if existing > _SHORT_FILE and existing - lost < existing * _SMALLEST_SHARE:
        return f"removes {lost} of {existing} lines, which is more than half of the file"
    return ""
