"""How a diff is painted: deletions red, additions green, words that differ reversed."""

from __future__ import annotations

from inlay.cli.output.terminal import Painter
from inlay.model.change import Change
from inlay.text.diff import Difference, DiffLine, compare, difference
from inlay.text.excerpt import excerpt

__all__ = ["DiffLine", "change_lines", "compare", "painted"]

_MOST_BYTES = 32 << 10  # of one file's diff after the fact; git shows more
_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}


def change_lines(change: Change, paint: Painter, *, limit: int = _MOST_BYTES) -> list[str]:
    """The diff of one change, with file headers, cut after `limit` bytes."""
    before = f"a/{change.path}" if change.before else "/dev/null"
    after = f"b/{change.target}" if change.after is not None else "/dev/null"
    diff = difference(change.before.text if change.before else "", change.after or "")
    headers = [paint(f"--- {before}", bold=True), paint(f"+++ {after}", bold=True)]
    return [*headers, *painted(diff, paint, limit=limit)]


def painted(diff: Difference, paint: Painter, *, limit: int) -> list[str]:
    """The lines of a diff, and a note of what was cut."""
    shown = excerpt(diff, limit)
    lines = [_line(line, paint) for line in shown.lines]
    return lines + ([paint(shown.note, dim=True)] if shown.note else [])


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
