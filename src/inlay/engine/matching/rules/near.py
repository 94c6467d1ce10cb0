"""The last resort: a context line may hold a slip of the pen, where everything else fits at one place only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from inlay.engine.matching.probe import line_numbers, lines_from
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, common_prefix, fold, is_blank

NAME = "near miss"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_HITS = 64
_LETTERS_A_VOTE = 200  # as costly to search as one vote is to count
_Near: TypeAlias = tuple[
    int, int, list[tuple[str, str]], list[int]
]  # slips, first line, lines side by side, which differ
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # in shorter words one letter makes another word


def find(source: Source, wanted: Wanted) -> list[Place]:
    """The place that fits but for slips in context lines, if no other place comes close."""
    scored = _scored(source, wanted)
    if not scored:
        return []
    slips, first, pairs, _ = scored[0]
    rivals = any(n <= slips + 1 and _is_rival(pairs, other, where) for n, _, other, where in scored[1:])
    if rivals or not _is_misquote(source, wanted, scored[0]):
        return []
    return [Place.run(first, len(wanted.lines), NAME)]


def misquotes(source: Source, wanted: Wanted) -> list[Place]:
    """Every place that the block could be a misquotation of, whether or not there are others."""
    return [
        Place.run(near[1], len(wanted.lines), NAME)
        for near in _scored(source, wanted)
        if near[3] and _is_misquote(source, wanted, near)
    ]


def _scored(source: Source, wanted: Wanted) -> list[_Near]:
    """Places where few lines differ, the fewest first."""
    most = _most_slips(wanted) + 1
    scored = []
    for first in _firsts(source, wanted.lines, most):
        if (pairs := _pairs(source, first, wanted, most)) is not None:
            scored.append((len(pairs[1]), first, *pairs))
    return sorted(scored, key=lambda near: near[:2])


def _most_slips(wanted: Wanted) -> int:
    return max(1, sum(not is_blank(line) for line in wanted.lines) // 6)


def _is_misquote(source: Source, wanted: Wanted, near: _Near) -> bool:
    slips, _, pairs, off = near
    if slips > _most_slips(wanted) or not consistent(pairs):
        return False
    words = {_mistaken(*pairs[n]) for n in off}
    return None not in words and not any(_is_known(source, word) for word in words if word)


def _is_rival(best: list[tuple[str, str]], other: list[tuple[str, str]], off: list[int]) -> bool:
    """Whether what differs at another place is the same text as at the best one, or could be meant as well."""
    return all(other[n][1].strip(BLANKS) == best[n][1].strip(BLANKS) or _resemble(*other[n]) for n in off)


def _firsts(source: Source, lines: tuple[str, ...], most: int) -> list[int]:
    """The lines where the block would begin if one of its lines is where it is, and enough of the others may be."""
    votes, voters = _votes(source, lines)
    folded = fold("\n".join(lines)).split("\n")
    if not votes or (source.folded() is source and tuple(folded) == lines):
        sure, voters_sure = votes, voters
    else:
        sure, voters_sure = _votes(source.folded(), folded)
    return sorted(first for first in votes if sure[first] >= voters_sure - most)


def _votes(source: Source, lines: Sequence[str]) -> tuple[Counter[int], int]:
    """How many of the lines that are not too common in the file say where the block begins, and how many there are."""
    votes: Counter[int] = Counter()
    voters = 0
    source.work.spend(lines=2 * len(lines))
    known: dict[str, list[int]] = {}
    for n, line in enumerate(lines):
        core = line.strip(BLANKS)
        numbers = known.get(core)
        if numbers is None:
            numbers = known[core] = line_numbers(source, core, _MOST_HITS) if core else []
        if 0 < len(numbers) < _MOST_HITS:
            voters += 1
            source.work.spend(letters=_LETTERS_A_VOTE * len(numbers))
            votes.update([number - n for number in numbers if number >= n])
    return votes, voters


def _pairs(source: Source, first: int, wanted: Wanted, most: int) -> tuple[list[tuple[str, str]], list[int]] | None:
    """The lines side by side and which of them differ; None where too many do, or one that the edit changes."""
    pairs: list[tuple[str, str]] = []
    off: list[int] = []
    below = lines_from(source.norm, source.offset(first))
    for n, want in enumerate(wanted.lines):
        at, have = next(below, (-1, ""))
        if at < 0:
            break
        pairs.append((want, have))
        if fold(want).strip(BLANKS) != fold(have).strip(BLANKS):
            off.append(n)
            if len(off) > most or not wanted.kept[n]:
                break
    else:
        source.work.spend(lines=len(pairs))
        return pairs, off
    source.work.spend(lines=len(pairs))
    return None


def _resemble(want: str, have: str) -> bool:
    """Whether at least half of two lines is the same, so that either could be meant by the other."""
    ours, theirs = _TOKEN.findall(fold(want)), _TOKEN.findall(fold(have))
    same = sum(1 for a, b in zip(ours, theirs, strict=False) if a == b)
    if 2 * same >= max(len(ours), len(theirs)):
        return True
    want, have = fold(want).strip(BLANKS), fold(have).strip(BLANKS)
    head = common_prefix(want, have)
    return 2 * (head + common_prefix(want[head:][::-1], have[head:][::-1])) >= max(len(want), len(have))


def _mistaken(want: str, have: str) -> str | None:
    """The one word of the line that was mistyped: a letter too many, too few, or two swapped; None for all else."""
    ours, theirs = _TOKEN.findall(fold(want)), _TOKEN.findall(fold(have))
    if len(ours) != len(theirs):
        return None
    differing = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    return differing[0][0] if len(differing) == 1 and _mistyped(*differing[0]) else None


def _is_known(source: Source, word: str) -> bool:
    """Whether a word occurs elsewhere in the file, so that it is a name of its own rather than a slip."""
    source.work.spend(letters=len(source.norm))
    return word in source.norm and re.search(rf"\b{re.escape(word)}\b", source.norm) is not None


def _mistyped(want: str, have: str) -> bool:
    """Whether one word is the other with a letter doubled, lost, added or swapped within a run of letters."""
    head = 0
    while head < min(len(want), len(have)) and want[head] == have[head]:
        head += 1
    if not head or not any(run.start() <= head <= run.end() for run in _LETTERS.finditer(have)):
        return False
    long, short = sorted((want[head:], have[head:]), key=len, reverse=True)
    if len(long) == len(short):
        return len(long) > 1 and long[:2].isalpha() and long[1::-1] + long[2:] == short
    # A last letter more or less is how names differ (`item`, `items`), unless the edit merely doubles it.
    doubled = len(want) > len(have) and long[0] == want[head - 1]
    return long[1:] == short and long[0].isalpha() and (len(long) > 1 or doubled)
