"""The last resort: a context line may hold a slip of the pen, where everything else fits at one place only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from inlay.engine.matching.probe import lines_before, lines_from, whole_lines
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, common_prefix, fold, is_blank

NAME = "near miss"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_HITS = 64
_Near: TypeAlias = tuple[int, int, list[tuple[str, str]], list[int]]  # slips, offset, lines side by side, which differ
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # in shorter words one letter makes another word


def find(source: Source, wanted: Wanted) -> list[Place]:
    """The place that fits but for slips in context lines, if no other place comes close."""
    scored = _scored(source, wanted)
    if not scored:
        return []
    slips, start, pairs, _ = scored[0]
    rivals = any(n <= slips + 1 and _is_rival(pairs, other, where) for n, _, other, where in scored[1:])
    if rivals or not _is_misquote(source, wanted, scored[0]):
        return []
    return [Place.run(source.line_at(start), len(wanted.lines), NAME)]


def misquotes(source: Source, wanted: Wanted) -> list[Place]:
    """Every place that the block could be a misquotation of, whether or not there are others."""
    return [
        Place.run(source.line_at(near[1]), len(wanted.lines), NAME)
        for near in _scored(source, wanted)
        if near[3] and _is_misquote(source, wanted, near)
    ]


def _scored(source: Source, wanted: Wanted) -> list[_Near]:
    """Places where few lines differ, the fewest first."""
    most = _most_slips(wanted) + 1
    scored = []
    for start in sorted(_starts(source.norm, wanted.lines)):
        if (pairs := _pairs(source.norm, start, wanted, most)) is not None:
            scored.append((len(pairs[1]), start, *pairs))
    return sorted(scored, key=lambda near: near[:2])


def _most_slips(wanted: Wanted) -> int:
    return max(1, sum(not is_blank(line) for line in wanted.lines) // 6)


def _is_misquote(source: Source, wanted: Wanted, near: _Near) -> bool:
    slips, _, pairs, off = near
    return slips <= _most_slips(wanted) and consistent(pairs) and all(_is_slip(source.norm, *pairs[n]) for n in off)


def _is_rival(best: list[tuple[str, str]], other: list[tuple[str, str]], off: list[int]) -> bool:
    """Whether what differs at another place is the same text as at the best one, or could be meant as well."""
    return all(other[n][1].strip(BLANKS) == best[n][1].strip(BLANKS) or _resemble(*other[n]) for n in off)


def _starts(norm: str, lines: tuple[str, ...]) -> set[int]:
    """Offsets where the block would begin if one of its lines stands where it does."""
    starts: set[int] = set()
    for n, line in enumerate(lines):
        if core := line.strip(BLANKS):
            found = whole_lines(norm, core, _MOST_HITS)
            if len(found) < _MOST_HITS:
                starts.update(_up(norm, found, n))
    return starts


def _up(norm: str, offsets: Iterable[int], by: int) -> Iterable[int]:
    for start in offsets:
        above = lines_before(norm, start)
        at = start
        for _ in range(by):
            at, _text = next(above, (-1, ""))
        if at >= 0:
            yield at


def _pairs(norm: str, start: int, wanted: Wanted, most: int) -> tuple[list[tuple[str, str]], list[int]] | None:
    """The lines side by side and which of them differ; None where too many do, or one that the edit changes."""
    pairs: list[tuple[str, str]] = []
    off: list[int] = []
    below = lines_from(norm, start)
    for n, want in enumerate(wanted.lines):
        at, have = next(below, (-1, ""))
        if at < 0:
            return None
        pairs.append((want, have))
        if fold(want).strip(BLANKS) != fold(have).strip(BLANKS):
            off.append(n)
            if len(off) > most or not wanted.kept[n]:
                return None
    return pairs, off


def _resemble(want: str, have: str) -> bool:
    """Whether at least half of two lines is the same, so that either could be meant by the other."""
    ours, theirs = _TOKEN.findall(fold(want)), _TOKEN.findall(fold(have))
    same = sum(1 for a, b in zip(ours, theirs, strict=False) if a == b)
    if 2 * same >= max(len(ours), len(theirs)):
        return True
    want, have = fold(want).strip(BLANKS), fold(have).strip(BLANKS)
    head = common_prefix(want, have)
    return 2 * (head + common_prefix(want[head:][::-1], have[head:][::-1])) >= max(len(want), len(have))


def _is_slip(norm: str, want: str, have: str) -> bool:
    """Whether one word of the line was mistyped: a letter too many, too few, or two swapped."""
    ours, theirs = _TOKEN.findall(fold(want)), _TOKEN.findall(fold(have))
    if len(ours) != len(theirs):
        return False
    differing = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    if len(differing) != 1 or not _mistyped(*differing[0]):
        return False
    # A word that occurs elsewhere in the file is a name of its own rather than a slip.
    word = differing[0][0]
    return word not in norm or re.search(rf"\b{re.escape(word)}\b", norm) is None


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
