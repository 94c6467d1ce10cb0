"""Which words of two similar lines differ."""

from __future__ import annotations

import re
from typing import TypeAlias

from inlay.text.edit_script import runs

Spans: TypeAlias = tuple[tuple[int, int], ...]  # half-open ranges of characters

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
_LONGEST = 400  # characters; in a longer line nobody looks for words
_LEAST_SHARED = 0.4  # of the characters: with less in common the lines are two lines, not one that changed


def differing(old: str, new: str) -> tuple[Spans, Spans]:
    """The characters of either line that the other has not; nothing where the lines are not alike."""
    if max(len(old), len(new)) > _LONGEST:
        return (), ()
    a, b = _WORD.findall(old), _WORD.findall(new)
    found = runs(a, b)
    lost = sum(len("".join(a[run[0] : run[1]])) for run in found)
    if len(old) - lost < _LEAST_SHARED * max(len(old.strip()), len(new.strip()), 1):
        return (), ()
    return _spans(a, [run[:2] for run in found]), _spans(b, [run[2:] for run in found])


def _spans(words: list[str], ranges: list[tuple[int, int]]) -> Spans:
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    return tuple((offsets[start], offsets[end]) for start, end in ranges if end > start)
