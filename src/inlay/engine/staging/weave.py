"""The three-way merge at a place: context keeps the file's own bytes, only what the edit changes is written."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from inlay.engine.matching import lookalikes
from inlay.engine.matching.rules import exact
from inlay.engine.matching.shift import Shift, first_line_lost, shift_of
from inlay.model.edit import Op
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source, fold, indent_of, is_blank

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_ODD_INDENT = re.compile(
    r"^[ \t]*[\u00a0\u2000-\u200a\u202f\u205f\u3000][ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]*", re.M
)
_SAME_INDENT = frozenset(
    {exact.NAME, "trailing blanks", "range", "line number", "section", "end of file", "part of a line"}
)


class Unsure(Exception):
    """The place is known, but not what the file should look like there; the text says why."""


@dataclass(frozen=True, slots=True)
class Region:
    """File lines `first` up to `end` give way to `new`."""

    first: int
    end: int
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Indentation:
    """What the place says about indentation: the shift of most lines and, apart from it, that of line one."""

    rest: Shift
    first: Shift | None = None
    seen: frozenset[str] = frozenset()  #: every indentation of the edit's lines that was compared


def weave(source: Source, ops: tuple[Op, ...], place: Place, indentation: Indentation | None) -> list[Region]:
    if place.rule != exact.NAME:
        _check_edges(source, ops, place)
        _check_air(source, ops, place)
    new = _new_texts(source, ops, place, indentation)
    regions: list[Region] = []
    for first, end, texts in _runs(source, ops, place, new):
        if regions and regions[-1].end == first:
            joined = regions.pop()
            regions.append(Region(joined.first, end, joined.new + texts))
        else:
            regions.append(Region(first, end, texts))
    return regions


def _check_edges(source: Source, ops: tuple[Op, ...], place: Place) -> None:
    # A blank line removed at the very edge of a block says too little where the file has several in a row.
    old = [op for op in ops if op[0] != "+"]
    for op, line in ((old[0], place.first - 1), (old[-1], place.end)):
        removed_blank = op[0] == "-" and len(old) > 1 and is_blank(op[1])
        if removed_blank and line >= 0 and source.offset(line) < len(source.norm) and is_blank(source.line(line)):
            raise Unsure("a blank line is removed beside others that the edit does not show")


def _check_air(source: Source, ops: tuple[Op, ...], place: Place) -> None:
    """Which of several blank lines is removed must not matter where the edit shows only some of them."""
    if place.end - place.first == sum(span is not None for span in place.spans):
        return
    spans = iter(place.spans)
    at, between = place.first, list[Op]()
    for op in ops:
        span = None if op[0] == "+" else next(spans)
        if span is None or is_blank(op[1]):
            between.append(op)
            continue
        gap = [source.line(n) for n in range(at, span[0])]
        removed = sum(kind == "-" for kind, _ in between)
        if 0 < removed < len(gap) and (len(set(gap)) > 1 or any(kind == "+" for kind, _ in between)):
            raise Unsure("blank lines are removed among others that the edit does not show")
        at, between = span[1], []


def indentation_of(source: Source, ops: tuple[Op, ...], place: Place) -> Indentation | None:
    """How the edit's indentation relates to the place's, or None where no one rule explains it."""
    seen = frozenset(indent_of(text) for kind, text in ops if kind != "+")
    if place.rule in _SAME_INDENT:
        return Indentation(Shift(), seen=seen)
    unit = source.indent_unit
    pairs = [(fold(want), fold(have)) for want, have in _pairs(source, ops, place)]
    if (shift := shift_of(pairs, unit)) is not None:
        return Indentation(shift, seen=seen)
    if first_line_lost(pairs):
        solid = [pair for pair in pairs if not is_blank(pair[0])]
        return Indentation(shift_of(solid[1:], unit) or Shift(), shift_of(solid[:1], unit))
    return None


def _pairs(source: Source, ops: tuple[Op, ...], place: Place) -> Iterator[tuple[str, str]]:
    old = (text for kind, text in ops if kind != "+")
    for want, span in zip(old, place.spans, strict=True):
        if span:
            yield want, source.line(span[0])


def _runs(
    source: Source, ops: tuple[Op, ...], place: Place, new: list[str]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Removed and added stretches in file order; blank lines that only the file has stay where they are."""
    at = place.first
    before: tuple[str, str] | None = None
    waiting: list[str] = []
    spans, texts = iter(place.spans), iter(new)
    for kind, text in ops:
        if kind == "+":
            waiting.append(next(texts))
            continue
        span = next(spans)
        if span is None:
            continue
        if waiting:
            where = at if span[0] == at or _sticks_above(before, (kind, text)) else span[0]
            yield where, where, tuple(waiting)
            waiting = []
        if kind == "-":
            yield span[0], span[1], ()
        at, before = span[1], (kind, text)
    if waiting:
        yield at, at, tuple(waiting)


def _sticks_above(above: tuple[str, str] | None, below: tuple[str, str]) -> bool:
    """Whether an addition belongs to the line above it, where the file has blank lines below that."""
    if above is None:
        return False
    if "-" in (above[0], below[0]):
        return above[0] == "-"
    if is_blank(above[1]) == is_blank(below[1]):
        raise Unsure("the file has blank lines around the addition that the edit does not show")
    return is_blank(below[1])


def _new_texts(source: Source, ops: tuple[Op, ...], place: Place, indentation: Indentation | None) -> list[str]:
    if place.rule == exact.NAME and indentation is not None and indentation.rest.is_none:
        return [_with_plain_indent(source, text) for kind, text in ops if kind == "+"]
    own = _removed(source, ops, place)
    # Characters that the edit's lines have where the file writes plain ones.
    pairs = _pairs(source, ops, place) if lookalikes.NAME in place.rule else ()
    odd = {ch for want, have in pairs for ch in want if not ch.isascii() and ch not in have}
    partner = _partners(ops)
    place_of = list(accumulate((kind != "+" for kind, _ in ops), initial=0))
    leading = next((n for n, (kind, _) in enumerate(ops) if kind != "-"), len(ops))
    out = []
    for n, (kind, written) in enumerate(ops):
        text = _with_plain_indent(source, written)
        if kind != "+":
            continue
        if own.get(text):
            # The line is the file's, but its trailing blanks are gone: the edit rewrote it without them.
            out.append(own[text].popleft().rstrip(BLANKS))
            continue
        base = _with_own(source, ops, place, partner.get(n), place_of)
        if base and indentation is None and indent_of(base[0]) == indent_of(text):
            out.append(indent_of(base[1]) + text.lstrip(BLANKS))
            continue
        merged = _merged(base[0], text, base[1]) if base else text
        plain = _plain(merged, odd - set(base[1] if base else ""))
        out.append(_shifted(plain, indentation, n <= leading))
    return out


def _with_plain_indent(source: Source, text: str) -> str:
    """A new line with plain blanks for the no-break spaces of its indentation, unless the file indents with such."""
    if text.isascii() or (odd := _ODD_INDENT.match(text)) is None or _ODD_INDENT.search(source.norm):
        return text
    return fold(odd.group()) + text[odd.end() :]


def _plain(text: str, odd: set[str]) -> str:
    """A new line without the odd blanks of its indentation; odd characters elsewhere in it may be meant or not."""
    if not odd & set(text):
        return text
    core = text.lstrip("".join(odd) + BLANKS)
    if odd & set(core):
        raise Unsure(f"a new line contains {min(odd & set(core))!r}, which the file writes plainly around it")
    return fold(text[: len(text) - len(core)]) + core


def _removed(source: Source, ops: tuple[Op, ...], place: Place) -> dict[str, deque[str]]:
    """The file's own text for every removed line: an added line equal to one has only moved."""
    own: dict[str, deque[str]] = {}
    spans = iter(place.spans)
    for kind, text in ops:
        if kind == "+":
            continue
        span = next(spans)
        if kind == "-" and span and span[1] - span[0] == 1 and not is_blank(text):
            own.setdefault(text, deque()).append(source.line(span[0]))
    return own


def _shifted(text: str, indentation: Indentation | None, is_first: bool) -> str:
    if is_blank(text):
        return text.removeprefix(indentation.rest.cut) if indentation else text
    if indentation is None:
        raise Unsure("the indentation of the block differs from the file's by no one rule")
    shift = indentation.first if is_first and indentation.first else indentation.rest
    shifted = shift.apply(text)
    if shifted is None:
        raise Unsure("a new line is indented less than the shift of the block allows")
    return shifted


def _partners(ops: tuple[Op, ...]) -> dict[int, int]:
    """Added line -> the removed line it replaces, where a stretch has as many of one as of the other."""
    out: dict[int, int] = {}
    n = 0
    while n < len(ops):
        start = n
        while n < len(ops) and ops[n][0] != " ":
            n += 1
        gone = [k for k in range(start, n) if ops[k][0] == "-"]
        come = [k for k in range(start, n) if ops[k][0] == "+"]
        if len(gone) == len(come):
            out.update(zip(come, gone, strict=True))
        n = max(n, start + 1)
    return out


def _with_own(
    source: Source, ops: tuple[Op, ...], place: Place, index: int | None, place_of: list[int]
) -> tuple[str, str] | None:
    if index is None:
        return None
    span = place.spans[place_of[index]]
    return (ops[index][1], source.line(span[0])) if span and span[1] - span[0] == 1 else None


def _merged(base: str, theirs: str, ours: str) -> str:
    """The new line with the file's own characters wherever the edit did not change them."""
    if base.strip() == ours.strip() or (base.isascii() and ours.isascii()):
        return theirs
    old, own, new = (_TOKEN.findall(text.strip()) for text in (base, ours, theirs))
    if len(old) != len(own) or any(fold(a) != fold(b) for a, b in zip(old, own, strict=True)):
        return theirs
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    kept_tail = own[len(own) - tail :] if tail else []
    return indent_of(theirs) + "".join([*own[:head], *new[head : len(new) - tail], *kept_tail])
