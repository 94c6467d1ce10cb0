"""How a diff is painted: deletions red, additions green, words that differ reversed."""

from __future__ import annotations

from inlay.cli.output.terminal import Painter
from inlay.model.change import Change
from inlay.render.diff import change_difference, diff_headers
from inlay.text.diff import Difference, DiffLine
from inlay.text.excerpt import excerpt

_MOST_BYTES = 32 << 10  # of one file's diff after the fact; git shows more
_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}


def change_lines(change: Change, paint: Painter, *, limit: int = _MOST_BYTES) -> list[str]:
    """The diff of one change, with file headers, cut after `limit` bytes."""
    headers = [paint(header, bold=True) for header in diff_headers(change)]
    return headers + painted(change_difference(change), paint, limit=limit)


def painted(diff: Difference, paint: Painter, *, limit: int) -> list[str]:
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
