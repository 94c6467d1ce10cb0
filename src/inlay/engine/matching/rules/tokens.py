"""Blanks inside lines and line breaks may differ where every token is the same."""

from __future__ import annotations

import re
from itertools import islice

from inlay.engine.matching.probe import MOST_PLACES, lines_before, lines_from
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import Source, indent_of

NAME = "inner blanks"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_LETTERS = 100_000
_MOST_TOKENS = 5000
_MUCH_BLANK = 10_000  # letters
_MOST_HITS, _FEW_HITS = 64, 8


def find(source: Source, wanted: Wanted) -> list[Place]:
    """All places whose tokens are the wanted ones, whole lines only, wherever the lines break."""
    if sum(map(len, wanted.lines)) > _MOST_LETTERS:
        return []
    lines = [_TOKEN.findall(line) for line in wanted.lines]
    tokens = [token for line in lines for token in line]
    if len(tokens) < 2 or len(tokens) > _MOST_TOKENS:
        return []
    places = {}
    for here in _windows(source, tokens):
        source.work.spend(lines=7 * len(lines) + 20)
        for span in _fits(source, here, len(lines), tokens):
            place = _grouped(span, lines, wanted.kept)
            if place is not None and _agree(_single(source, wanted, place)):
                places[place.spans] = place
        if len(places) > MOST_PLACES:
            break
    return list(places.values())


def _single(source: Source, wanted: Wanted, place: Place) -> list[tuple[str, str]]:
    """The lines that are one line on both sides."""
    behind = (*place.spans[1:], (0, 0))
    return [
        (line, source.line(span[0]))
        for line, span, after in zip(wanted.lines, place.spans, behind, strict=True)
        if span and after and span[1] - span[0] == 1
    ]


def _agree(pairs: list[tuple[str, str]]) -> bool:
    """Indentation may differ by one rule or on every line; on some lines only, it tells a line of the same words."""
    return consistent(pairs) or not any(indent_of(want) == indent_of(have) for want, have in pairs)


def _windows(source: Source, tokens: list[str]) -> list[int]:
    """The lines where a rare token of the block is; none where one is nowhere, or all are too common."""
    best: list[int] = []
    for token in sorted(set(tokens), key=lambda token: (-len(token), token))[:6]:
        lines = source.word_lines(token, _MOST_HITS + 1)
        if len(lines) <= _FEW_HITS:
            return lines
        if len(lines) <= _MOST_HITS and (not best or len(lines) < len(best)):
            best = lines
    return best


def _fits(source: Source, here: int, count: int, tokens: list[str]) -> list[list[tuple[int, str]]]:
    """Runs of file lines around one that hold exactly the wanted tokens, as (line number, text)."""
    reach = 3 * count + 10
    at = source.offset(here)
    above = [(here - 1 - n, text) for n, (_, text) in enumerate(islice(lines_before(source.norm, at), reach))]
    below = [(here + n, text) for n, (_, text) in enumerate(islice(lines_from(source.norm, at), reach))]
    near = above[::-1] + below
    # A line far longer than the block has more tokens than it, and would take long to split.
    longest = 4 * sum(map(len, tokens)) + _MUCH_BLANK
    split = [_TOKEN.findall(text) if len(text) <= longest else ["\n"] for _, text in near]
    found = []
    for first in range(len(above) + 1):
        if split and first < len(split) and split[first] and split[first][0] == tokens[0]:
            end = _end(split, first, tokens)
            if end > len(above):
                found.append(near[first:end])
    return found


def _end(split: list[list[str]], first: int, tokens: list[str]) -> int:
    """The line after the last one when the wanted tokens fill whole lines from `first` on, else 0."""
    at, n = 0, first
    while at < len(tokens) and n < len(split):
        if tokens[at : at + len(split[n])] != split[n]:
            return 0
        at, n = at + len(split[n]), n + 1
    return n if at == len(tokens) else 0


def _grouped(run: list[tuple[int, str]], lines: list[list[str]], kept: tuple[bool, ...]) -> Place | None:
    """Wanted lines and file lines paired wherever both break; None where a changed line is broken otherwise."""
    have = [_TOKEN.findall(text) for _, text in run]
    spans: list[tuple[int, int] | None] = []
    i = j = 0
    while i < len(lines) and j < len(have):
        if bool(lines[i]) != bool(have[j]):
            return None
        i_end, j_end = _together(lines, i, have, j)
        # A re-wrapped stretch stays or goes as a whole: where it should be cut, nothing says.
        if not i_end or len(set(kept[i:i_end])) > 1:
            return None
        spans += [(run[j][0], run[j_end - 1][0] + 1), *[None] * (i_end - i - 1)]
        i, j = i_end, j_end
    return Place(tuple(spans), NAME) if i == len(lines) and j == len(have) else None


def _together(lines: list[list[str]], i: int, have: list[list[str]], j: int) -> tuple[int, int]:
    """Where both sides next break at the same token; (0, 0) where a blank line comes first."""
    want, got = len(lines[i]), len(have[j])
    i, j = i + 1, j + 1
    while want != got:
        side, n = (lines, i) if want < got else (have, j)
        if n >= len(side) or not side[n]:
            return 0, 0
        if want < got:
            want, i = want + len(lines[i]), i + 1
        else:
            got, j = got + len(have[j]), j + 1
    return i, j
