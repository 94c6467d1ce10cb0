"""The last resort: a context line may hold a slip of the pen, where everything else fits at one place only."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inlay.engine.matching.probe import lines_before, lines_from, whole_lines
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, fold, is_blank

NAME = "near miss"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_HITS = 64
_LETTERS = re.compile(r"[^\W\d_]{4,}")  # in shorter words one letter makes another word


def find(source: Source, wanted: Wanted) -> list[Place]:
    """The place that fits but for slips in context lines, if no other place comes close."""
    limit = max(1, sum(not is_blank(line) for line in wanted.lines) // 6)
    scored = []
    for start in _starts(source.norm, wanted.lines):
        if (pairs := _pairs(source.norm, start, wanted, limit + 1)) is not None:
            scored.append((len(pairs[1]), start, *pairs))
    if not scored:
        return []
    scored.sort(key=lambda entry: entry[:2])
    slips, start, pairs_best, off = scored[0]
    rivals = any(n <= slips + 1 and all(_resemble(*other[i]) for i in where) for n, _, other, where in scored[1:])
    if (
        slips > limit
        or rivals
        or not consistent(pairs_best)
        or not all(_is_slip(source.norm, *pairs_best[n]) for n in off)
    ):
        return []
    return [Place.run(source.line_at(start), len(wanted.lines), NAME)]


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
    return 2 * same >= max(len(ours), len(theirs))


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
