"""Two messages side by side: the old one and the new one, line against line."""

from __future__ import annotations

import shutil
import unicodedata
from itertools import accumulate, zip_longest

from inlay.cli.output.terminal import Painter, safe
from inlay.text.edit_script import runs

_NARROWEST = 30  # characters of a column; below that the messages are shown one above the other
_WIDEST = 76
_BETWEEN = " │ "


def columns(old: str, new: str, paint: Painter) -> list[str]:
    width = min((shutil.get_terminal_size((100, 24)).columns - len(_BETWEEN)) // 2, _WIDEST)
    before, after = old.rstrip("\n").split("\n"), new.rstrip("\n").split("\n")
    if width < _NARROWEST:
        return [*(paint(f"- {line}", "red") for line in before), *(paint(f"+ {line}", "green") for line in after)]
    lines = [f"{paint(_padded('old message', width), dim=True)}{_BETWEEN}{paint('new message', dim=True)}"]
    for left, right, same in _paired(before, after):
        colours = (None, None) if same else ("red", "green")
        pieces = zip_longest(_wrapped(left or "", width), _wrapped(right or "", width), fillvalue="")
        lines += [f"{paint(_padded(a, width), colours[0])}{_BETWEEN}{paint(b, colours[1])}".rstrip() for a, b in pieces]
    return lines


def _paired(before: list[str], after: list[str]) -> list[tuple[str | None, str | None, bool]]:
    """The lines of each row, and whether they are the same."""
    rows: list[tuple[str | None, str | None, bool]] = []
    at = 0
    for start, end, new_start, new_end in [*runs(before, after), (len(before), len(before), 0, 0)]:
        rows += [(line, line, True) for line in before[at:start]]
        rows += [(left, right, False) for left, right in zip_longest(before[start:end], after[new_start:new_end])]
        at = end
    return rows


def _wrapped(line: str, width: int) -> list[str]:
    """A line in pieces that fit, cut between words where possible."""
    rest, pieces = safe(line), []
    while _columns(rest) > width:
        widths = accumulate(map(_columns, rest))
        end = max(1, next(at for at, used in enumerate(widths) if used > width))
        blank = rest.rfind(" ", 1, end + 1)
        cut = blank if blank > width // 3 else end
        pieces.append(rest[:cut])
        rest = rest[cut:].lstrip(" ")
    return [*pieces, rest]


def _columns(text: str) -> int:
    """Columns of a terminal, where some scripts take two each and marks take none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))
