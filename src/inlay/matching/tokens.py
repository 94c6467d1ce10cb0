"""Blanks inside lines and line breaks may differ where every token is the same."""

from __future__ import annotations

import re
from itertools import islice

from inlay.matching.probe import MOST_PLACES, lines_before, lines_from
from inlay.matching.source import Source
from inlay.matching.wanted import Wanted
from inlay.model.match import Place

NAME = "inner blanks"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_TOKENS = 5000
_MOST_HITS = 64


def find(source: Source, wanted: Wanted) -> list[Place]:
    """All places whose tokens are the wanted ones, whole lines only, wherever the lines break."""
    lines = [_TOKEN.findall(line) for line in wanted.lines]
    tokens = [token for line in lines for token in line]
    if len(tokens) < 2 or len(tokens) > _MOST_TOKENS:
        return []
    places = {}
    for at in _windows(source.norm, tokens):
        for span in _fits(source, at, lines, tokens):
            if (place := _grouped(source, span, lines, wanted.kept)) is not None:
                places[place.spans] = place
        if len(places) > MOST_PLACES:
            break
    return list(places.values())


def _windows(norm: str, tokens: list[str]) -> list[int]:
    """Offsets of the lines where a rare token of the block stands."""
    for token in sorted(set(tokens), key=len, reverse=True)[:4]:
        found, at = [], norm.find(token)
        while at >= 0 and len(found) <= _MOST_HITS:
            found.append(norm.rfind("\n", 0, at) + 1)
            at = norm.find(token, at + len(token))
        if len(found) <= _MOST_HITS:
            return sorted(set(found))
    return []


def _fits(source: Source, at: int, lines: list[list[str]], tokens: list[str]) -> list[list[tuple[int, str]]]:
    """Runs of file lines around an offset that hold exactly the wanted tokens, as (line number, text)."""
    reach = 3 * len(lines) + 10
    here = source.line_at(at)
    above = [(here - 1 - n, text) for n, (_, text) in enumerate(islice(lines_before(source.norm, at), reach))]
    below = [(here + n, text) for n, (_, text) in enumerate(islice(lines_from(source.norm, at), reach))]
    near = above[::-1] + below
    split = [_TOKEN.findall(text) for _, text in near]
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


def _grouped(
    source: Source, run: list[tuple[int, str]], lines: list[list[str]], kept: tuple[bool, ...]
) -> Place | None:
    """Wanted lines and file lines paired where both break; None where one group is partly kept, partly removed."""
    spans: list[tuple[int, int] | None] = []
    at = 0
    pending: list[int] = []
    want_seen = have_seen = 0
    start = run[0][0]
    for n, line in enumerate(lines):
        pending.append(n)
        want_seen += len(line)
        while at < len(run) and have_seen < want_seen:
            have_seen += len(_TOKEN.findall(run[at][1]))
            at += 1
        if have_seen == want_seen and (line or at):
            end = run[at - 1][0] + 1 if at else start
            if len({kept[p] for p in pending if lines[p]}) > 1:
                return None
            first = next((p for p in pending if lines[p]), None)
            spans += [(start, end) if p == first and end > start else None for p in pending]
            start, pending = max(start, end), []
    spans += [None] * len(pending)
    return Place(tuple(spans), NAME) if any(spans) else None
