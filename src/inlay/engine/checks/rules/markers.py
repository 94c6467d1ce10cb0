"""Finds merge conflict markers and edit block markers that were left in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding

_GIT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?$")
_BLOCK = re.compile(r"\s*(?:[<-]{5,9}\s*(?:SEARCH|ORIGINAL|HEAD)|[>+]{5,9}\s*(?:REPLACE|UPDATED))>?\s*$")
_DIVIDER = re.compile(r"={7}\s*$")
_OPENING = re.compile(r"^(?:<{7}(?![<\w])|[ \t]*[<-]{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b)", re.MULTILINE)
_CLOSING = re.compile(r"^(?:>{7}(?![>\w])|[ \t]*[>+]{5,9} ?(?:REPLACE|UPDATED)\b)", re.MULTILINE)
_BEGINNINGS = frozenset(character * 5 for character in "<>|=-+")


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every marker the change brings in."""
    # Most lines begin with none of these; the test is cheaper than the patterns.
    suspects = [line for line in added if line.text.lstrip()[:5] in _BEGINNINGS]
    dividers = _divided(change.after or "") if any(_DIVIDER.match(line.text) for line in suspects) else range(0)
    for line in suspects:
        is_divider = line.number in dividers and _DIVIDER.match(line.text)
        if is_divider or _GIT.match(line.text) or _BLOCK.match(line.text):
            message = f"leaves the marker {line.text.strip()[:60]!r} in the file"
            yield Finding("conflict-marker", "error", change.target, line.number, message)


def _divided(text: str) -> range:
    """Line numbers between the first opening and the last closing marker: elsewhere equals signs underline headings."""
    opening = _OPENING.search(text)
    closings = [found.start() for found in _CLOSING.finditer(text)]
    if opening is None or not closings:
        return range(0)
    return range(text.count("\n", 0, opening.start()) + 2, text.count("\n", 0, closings[-1]) + 1)
