"""Compares a block with the lines around a hit, line by line or with blank lines counted as air."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from inlay.engine.matching.probe import FEW, hits, lines_before, lines_from, most_places
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, is_blank

Pairs: TypeAlias = list[tuple[str, str]]
_MOST_COMPARED = 20_000  # lines at all hits together; beyond it one search for the whole block is cheaper
_GLANCE = 8  # lines that tell most wrong places
_MOST_AIR = 50  # blank lines in a row that still count as one gap


def same_shape(source: Source, lines: tuple[str, ...], rule: str, agree: Callable[[Pairs], bool]) -> list[Place]:
    """Places with as many lines as wanted, the same but for outer blanks, that also `agree`."""
    places = []
    for first in _same_cores(source, lines):
        # What disagrees mostly does so soon, and a glance keeps many such places cheap.
        if _agree(source, lines[:_GLANCE], first, agree) and _agree(source, lines, first, agree):
            places.append(Place.run(first, len(lines), rule))
            if len(places) >= most_places(lines):
                break
    return places


def _agree(source: Source, lines: tuple[str, ...], first: int, agree: Callable[[Pairs], bool]) -> bool:
    source.work.spend(lines=len(lines))
    return agree(list(zip(lines, source.run(first, len(lines)), strict=True)))


def same_ends(source: Source, lines: tuple[str, ...], rule: str) -> list[Place]:
    """Places with as many lines as wanted, the same but for blanks at line ends."""
    if (found := hits(source, lines)) is None or not is_common(lines, found[1]):
        return same_shape(source, lines, rule, _same_ends)
    firsts = runs_in(source, source.trimmed, [line.rstrip(BLANKS) for line in lines])
    return [Place.run(first, len(lines), rule) for first in islice(firsts, most_places(lines))]


def _same_ends(pairs: Pairs) -> bool:
    return all(want.rstrip(BLANKS) == have.rstrip(BLANKS) for want, have in pairs)


def _same_cores(source: Source, lines: tuple[str, ...]) -> Iterator[int]:
    """The numbers of the lines from which on the file is the block but for outer blanks."""
    if (found := hits(source, lines)) is None:
        return
    probe, offsets = found
    if is_common(lines, offsets):
        yield from runs_in(source, source.cores, [line.strip(BLANKS) for line in lines])
        return
    for at in offsets:
        start = _above(source.norm, lines, probe, at)
        if start is not None and _below(source.norm, lines, start):
            yield source.line_at(start)


def is_common(lines: tuple[str, ...], offsets: list[int]) -> bool:
    """Whether a block is too long, or too often in the file, to be compared at each hit."""
    return len(offsets) >= FEW or len(lines) * len(offsets) > _MOST_COMPARED


def runs_in(source: Source, cores: str, lines: list[str]) -> Iterator[int]:
    """Where wanted lines follow each other among the lines of a file, both stripped in the same way; by number."""
    needle = "\n".join(["", *lines, ""])
    number = known = 0
    at = cores.find(needle)
    source.work.spend(letters=len(cores) if at < 0 else at)
    while at >= 0:
        number, known = number + cores.count("\n", known, at), at
        yield number
        at = cores.find(needle, at + 1)
        source.work.spend(letters=(len(cores) if at < 0 else at) - known)


def _above(norm: str, lines: tuple[str, ...], probe: int, at: int) -> int | None:
    """Where the block would begin, if the lines above the hit agree."""
    above = lines_before(norm, at)
    for line in reversed(lines[:probe]):
        at, have = next(above, (-1, ""))
        if at < 0 or have.strip(BLANKS) != line.strip(BLANKS):
            return None
    return at


def _below(norm: str, lines: tuple[str, ...], start: int) -> bool:
    below = lines_from(norm, start)
    return all(next(below, (-1, "\n"))[1].strip(BLANKS) == line.strip(BLANKS) for line in lines)


def same_words(source: Source, lines: tuple[str, ...], rule: str, agree: Callable[[Pairs], bool]) -> list[Place]:
    """Places whose lines are the wanted ones when blank lines, missing or added, are passed over."""
    places = []
    for probe, at in _same_solid(source, lines):
        source.work.spend(lines=_GLANCE)
        if (place := _around(source, lines, probe, at, agree, rule)) is not None:
            source.work.spend(lines=len(lines))
            places.append(place)
            if len(places) >= most_places(lines):
                break
    return places


def _same_solid(source: Source, lines: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """A wanted line and the offsets where it is, among other lines that may be the block's."""
    if (found := hits(source, lines)) is None:
        return
    probe, offsets = found
    if not is_common(lines, offsets):
        yield from ((probe, at) for at in offsets)
        return
    solid, numbers = source.solid
    first = next(n for n, line in enumerate(lines) if not is_blank(line))
    for at in runs_in(source, solid, list(filter(None, (line.strip(BLANKS) for line in lines)))):
        yield first, source.offset(numbers[at])


def _around(
    source: Source, lines: tuple[str, ...], probe: int, at: int, agree: Callable[[Pairs], bool], rule: str
) -> Place | None:
    here = source.line_at(at)
    down = _airy(lines[probe:], lines_from(source.norm, at))
    up = None if down is None else _airy(lines[:probe][::-1], lines_before(source.norm, at))
    if down is None or up is None:
        return None
    spans = [None if n is None else here - 1 - n for n, _ in reversed(up)]
    spans += [None if n is None else here + n for n, _ in down]
    have = [text for _, text in reversed(up)] + [text for _, text in down]
    if not agree([(want, text) for want, text in zip(lines, have, strict=True) if text]):
        return None
    return Place(tuple(None if n is None else (n, n + 1) for n in spans), rule)


def _airy(lines: tuple[str, ...], file: Iterator[tuple[int, str]]) -> list[tuple[int | None, str]] | None:
    """For each wanted line how many file lines on it stands, and the file's text; None when they disagree."""
    out: list[tuple[int | None, str]] = []
    n, held = 0, next(file, None)
    for line in lines:
        if is_blank(line):
            if held is not None and is_blank(held[1]):
                out.append((n, ""))
                n, held = n + 1, next(file, None)
            else:
                out.append((None, ""))
            continue
        skipped = 0
        while held is not None and is_blank(held[1]) and skipped < _MOST_AIR:
            n, held, skipped = n + 1, next(file, None), skipped + 1
        if held is None or held[1].strip(BLANKS) != line.strip(BLANKS):
            return None
        out.append((n, held[1]))
        n, held = n + 1, next(file, None)
    return out
