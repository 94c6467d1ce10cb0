"""Puts new content before a given line of the existing."""

from __future__ import annotations

from inlay.engine.merging.line_changes import LineChange, split, written
from inlay.engine.merging.merged import Merged, refusal


def insert(existing: str, new: str, line: int | None) -> Merged:
    """The new lines before 1-based `line`; one more than there are lines means after the last."""
    count = len(split(existing))
    if line is None:
        raise refusal("line-missing", "inserting needs a line number", f"Give a line from 1 to {count + 1}.")
    if not 1 <= line <= count + 1:
        has = f"the file has {count} line{'' if count == 1 else 's'}"
        advice = f"Give a line from 1 to {count + 1}; {count + 1} means after the last."
        raise refusal("line-outside", f"there is no line {line} to insert before: {has}", advice)
    if not existing or not new:
        return Merged(existing or new)
    return Merged(written(existing, [LineChange(line - 1, line - 1, tuple(split(new)))]))
