"""The place that comes closest to a block that was not found, for "did you mean"."""

from __future__ import annotations

import re
from collections import Counter

from inlay.engine.matching.probe import lines_before, lines_from, whole_lines
from inlay.errors import Nearest
from inlay.text.lines import BLANKS, Source

_WORD = re.compile(r"\w{4,}")
_SHORT_WORD = re.compile(r"\w{2,}")
_MOST_HITS = 24
_LONGEST = 1000  # letters of a line that are looked for
_MOST_LINES = 40  # of the block that are looked for; more would tell nothing new


def nearest(source: Source, lines: tuple[str, ...]) -> Nearest | None:
    """Where most of the wanted lines, or else most of their words, stand together."""
    votes = _votes(source.norm, lines, _WORD)
    # A few letters change their length with their case, and offsets with them: then no second look.
    if not votes and len(lower := source.norm.lower()) == len(source.norm):
        votes = _votes(lower, tuple(line.lower() for line in lines), _SHORT_WORD)
    if not votes:
        return None
    # The highest vote wins, the first place among equals: it is shown, never edited.
    start = min(votes, key=lambda at: (-votes[at], at))
    found = tuple(text for (_, text), _ in zip(lines_from(source.norm, start), lines, strict=False))
    off = tuple(n for n, want in enumerate(lines) if n >= len(found) or want != found[n])
    return Nearest(source.line_at(start) + 1, found, lines, off)


def _votes(norm: str, lines: tuple[str, ...], words: re.Pattern[str]) -> Counter[int]:
    """Offsets where the block could begin, with how much speaks for each."""
    votes: Counter[int] = Counter()
    for n, line in enumerate(lines[:_MOST_LINES]):
        core = line.strip(BLANKS)[:_LONGEST]
        for at in whole_lines(norm, core, _MOST_HITS) if core else []:
            votes[_start(norm, at, n)] += 3
        for word in sorted(set(words.findall(core)), key=lambda word: (-len(word), word))[:3]:
            for at in _word_lines(norm, word):
                votes[_start(norm, at, n)] += 1
    return votes


def _start(norm: str, at: int, up: int) -> int:
    above = lines_before(norm, at)
    for _ in range(up):
        at = next(above, (at, ""))[0]
    return at


def _word_lines(norm: str, word: str) -> list[int]:
    found: list[int] = []
    at = norm.find(word)
    while at >= 0 and len(found) < _MOST_HITS:
        found.append(norm.rfind("\n", 0, at) + 1)
        at = norm.find(word, at + len(word))
    return found
