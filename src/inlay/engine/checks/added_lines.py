"""Which lines a change brings in; serves every check and is none itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from inlay.model.change import Change
from inlay.text.lines import common_prefix


@dataclass(frozen=True, slots=True)
class Line:
    number: int  #: 1-based
    text: str  #: without its line ending


def added_lines(change: Change) -> tuple[Line, ...]:
    """The lines of `after` that `before` has no like of, in order; a line that only moved or was re-indented is old.

    A multiset, not a diff: checks ask what is new, not where it came from, and this stays linear on any file.
    """
    if change.after is None:
        return ()
    new = change.after.split("\n")
    old = change.before.text.split("\n") if change.before else []
    # What stands before and after the edit is set aside first, so that of several equal lines the one inside counts.
    start = common_prefix(old, new)
    end = common_prefix(old[start:][::-1], new[start:][::-1])
    known = Counter(map(str.strip, old[start : len(old) - end]))
    added = []
    for number, text in enumerate(new[start : len(new) - end], start + 1):
        if known[key := text.strip()] > 0:
            known[key] -= 1
        else:
            added.append(Line(number, text.removesuffix("\r")))
    return tuple(added)
