"""Adds new content after the end of the existing."""

from __future__ import annotations

from inlay.engine.merging.line_changes import LineChange, split, written
from inlay.engine.merging.merged import Merged


def append(existing: str, new: str) -> Merged:
    """The new lines after the last one, which is ended first where it was not."""
    if not existing or not new:
        return Merged(existing or new)
    count = len(split(existing))
    return Merged(written(existing, [LineChange(count, count, tuple(split(new)))]))
