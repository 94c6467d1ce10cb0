"""How a difference is painted: what goes in red, what comes in green, the words that differ stand out."""

from __future__ import annotations

from inlay.cli.output.terminal import Painter
from inlay.model.change import Change
from inlay.text.diff import Difference, DiffLine, compare, difference
from inlay.text.excerpt import excerpt

__all__ = ["DiffLine", "change_lines", "compare", "painted"]

_MOST_BYTES = 32 << 10  # of one file's difference after the fact; who wants more asks git
_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}


def change_lines(change: Change, paint: Painter, *, limit: int = _MOST_BYTES) -> list[str]:
    """The difference that a change makes, with file headers, cut after `limit` bytes."""
    found = difference(change.before.text if change.before else "", change.after or "")
    return [*_headers(change, paint), *painted(found, paint, limit=limit)]


def painted(found: Difference, paint: Painter, *, limit: int) -> list[str]:
    """The lines of a difference, and a note of what was cut."""
    shown = excerpt(found, limit)
    lines = [_line(line, paint) for line in shown.lines]
    return lines + ([paint(shown.note, dim=True)] if shown.note else [])


def _headers(change: Change, paint: Painter) -> list[str]:
    before = f"a/{change.path}" if change.before else "/dev/null"
    after = f"b/{change.target}" if change.after is not None else "/dev/null"
    return [paint(f"--- {before}", bold=True), paint(f"+++ {after}", bold=True)]


def _line(line: DiffLine, paint: Painter) -> str:
    colour = _COLOURS.get(line.kind)
    sign = "" if line.kind in "@\\" else line.kind
    if not line.emphasis or colour is None:
        return paint(f"{sign}{line.text}", colour)
    pieces, at = [paint(sign, colour)], 0
    for start, end in line.emphasis:
        pieces += [paint(line.text[at:start], colour), paint(line.text[start:end], colour, reverse=True)]
        at = end
    return "".join([*pieces, paint(line.text[at:], colour)])
