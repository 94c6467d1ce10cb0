"""Compares a block with the lines around a hit, line by line or with blank lines counted as air."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from inlay.engine.matching.probe import hits, lines_before, lines_from, most_places
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, is_blank

Pairs: TypeAlias = list[tuple[str, str]]
_MOST_AIR = 50  # blank lines in a row that still count as one gap


def same_shape(source: Source, lines: tuple[str, ...], rule: str, agree: Callable[[Pairs], bool]) -> list[Place]:
    """Places with as many lines as wanted, the same but for outer blanks, that also `agree`."""
    probe, offsets = hits(source, lines) or (0, [])
    places = []
    for at in offsets:
        start = _above(source.norm, lines, probe, at)
        pairs = None if start is None else _pairs(source.norm, lines, start)
        if start is not None and pairs is not None and agree(pairs):
            places.append(Place.run(source.line_at(start), len(lines), rule))
            if len(places) >= most_places(lines):
                break
    return places


def _above(norm: str, lines: tuple[str, ...], probe: int, at: int) -> int | None:
    """Where the block would begin, if the lines above the hit agree."""
    above = lines_before(norm, at)
    for line in reversed(lines[:probe]):
        at, have = next(above, (-1, ""))
        if at < 0 or have.strip(BLANKS) != line.strip(BLANKS):
            return None
    return at


def _pairs(norm: str, lines: tuple[str, ...], start: int) -> Pairs | None:
    below, pairs = lines_from(norm, start), []
    for line in lines:
        at, have = next(below, (-1, ""))
        if at < 0 or have.strip(BLANKS) != line.strip(BLANKS):
            return None
        pairs.append((line, have))
    return pairs


def same_words(source: Source, lines: tuple[str, ...], rule: str, agree: Callable[[Pairs], bool]) -> list[Place]:
    """Places whose lines are the wanted ones when blank lines, missing or added, are passed over."""
    probe, offsets = hits(source, lines) or (0, [])
    places = []
    for at in offsets:
        if (place := _around(source, lines, probe, at, agree, rule)) is not None:
            places.append(place)
            if len(places) >= most_places(lines):
                break
    return places


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
