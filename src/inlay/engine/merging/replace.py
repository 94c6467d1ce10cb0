"""Gives a file wholly new content in its own style of line endings."""

from __future__ import annotations

from inlay.engine.merging.line_changes import endings, split
from inlay.engine.merging.merged import Merged


def replace(existing: str, new: str) -> Merged:
    """The new lines, ended as most of the old ones were; a final newline that was absent stays absent."""
    if not existing or not new:
        return Merged(new)
    found = endings(existing)
    # Equally frequent endings: sorting makes the choice the same every time, and "\n" the first.
    ending = max(sorted(found), key=lambda each: found[each], default="\n")
    final = ending if existing[-1] in "\r\n" else ""
    notes = ("the file mixed line endings; the new content uses the most frequent one",) if len(found) > 1 else ()
    return Merged(ending.join(split(new)) + final, notes)
