"""The place that comes closest to a block that was not found, for "did you mean"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from inlay.engine.matching.probe import line_numbers, lines_from
from inlay.errors import Nearest
from inlay.text.lines import BLANKS, Source, TooCostly, common_prefix

_WORD = re.compile(r"\w{4,}")
_SHORT_WORD = re.compile(r"\w{2,}")
_MOST_HITS = 24
_LONGEST = 1000  # letters of a line that are looked for
_MOST_COMPARED = 40  # places that are compared with the block line by line
ALIKE = 0.75  #: share of letters from which a place could be meant by the block
_MOST_LINES = 40  # of the block that are looked for; more would tell nothing new


def nearest(source: Source, lines: tuple[str, ...]) -> Nearest | None:
    """Where most of the wanted lines, or else most of their words, stand together; None also where that costs much."""
    try:
        votes = _votes(source, lines, _WORD)
        # A few letters change their length with their case, and line breaks with them: then no second look.
        if not votes and (lower := source.lowered()) is not None:
            votes = _votes(lower, tuple(line.lower() for line in lines), _SHORT_WORD)
    except TooCostly:
        return None
    if not votes:
        return None
    # The highest vote wins, the first place among equals: it is shown, never edited.
    first = min(votes, key=lambda line: (-votes[line], line))
    below = lines_from(source.norm, source.offset(first))
    found = tuple(text for (_, text), _ in zip(below, lines, strict=False))
    off = tuple(n for n, want in enumerate(lines) if n >= len(found) or want != found[n])
    return Nearest(first + 1, found, lines, off)


def resembling(
    source: Source, lines: tuple[str, ...], but: Sequence[tuple[int, int]], share: float = ALIKE
) -> int | None:
    """A 0-based line where something very like the block begins, outside of the ranges `but`; None if there is none."""
    votes = _votes(source, lines, _WORD)
    for first, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MOST_COMPARED]:
        if all(first + len(lines) <= start or first >= end for start, end in but):
            source.work.spend(lines=len(lines))
            if likeness(lines, source.run(first, len(lines))) >= share:
                return first
    return None


def likeness(lines: Sequence[str], there: Sequence[str]) -> float:
    """The share of the block's letters that stand at the same lines of a place."""
    wanted, same = 0, 0.0
    for n, line in enumerate(lines):
        core, have = line.strip(BLANKS), there[n].strip(BLANKS) if n < len(there) else ""
        weight = sum(map(str.isalnum, core[:_LONGEST]))
        wanted += weight
        if core == have:
            same += weight
        else:
            head = common_prefix(core, have)
            shared = head + common_prefix(core[head:][::-1], have[head:][::-1])
            share = shared / max(len(core), len(have), 1)
            same += weight * share if share >= 0.5 else 0
    return same / wanted if wanted else 0.0


def _votes(source: Source, lines: tuple[str, ...], words: re.Pattern[str]) -> Counter[int]:
    """Lines where the block could begin, with how much speaks for each."""
    votes: Counter[int] = Counter()
    for n, line in enumerate(lines[:_MOST_LINES]):
        core = line.strip(BLANKS)[:_LONGEST]
        for number in line_numbers(source, core, _MOST_HITS) if core else []:
            votes[max(0, number - n)] += 3
        for word in sorted(set(words.findall(core)), key=lambda word: (-len(word), word))[:3]:
            for at in _word_lines(source, word):
                votes[max(0, source.line_at(at) - n)] += 1
    return votes


def _word_lines(source: Source, word: str) -> list[int]:
    norm, found = source.norm, list[int]()
    at = norm.find(word)
    while at >= 0 and len(found) < _MOST_HITS:
        found.append(norm.rfind("\n", 0, at) + 1)
        at = norm.find(word, at + len(word))
    source.work.spend(letters=len(norm) if at < 0 else at)
    return found
