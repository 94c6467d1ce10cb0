"""Finds invisible characters that make text read differently from what it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding

_MOST_REPORTED = 10

_DIRECTION = "\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c"
_ZERO_WIDTH = "\u200b\u2060\ufeff"
# Joiners belong to Indic scripts, Persian and emoji; between ASCII letters they only hide a difference.
_JOINERS = "(?<=[A-Za-z0-9_])[\u200c\u200d]+(?=[A-Za-z0-9_])"
# Tag characters spell invisible ASCII; the only honest use is the flag of a region, after a black flag.
_TAGS = "(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0001\U000e0020-\U000e007f]"
_HIDDEN = re.compile(f"[{_DIRECTION}{_ZERO_WIDTH}]|{_JOINERS}|{_TAGS}")


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every added line with such a character, unless the file has lost as many elsewhere."""
    hidden: dict[int, list[str]] = {}
    for line in added:
        if not line.text.isascii():
            # At the very beginning of a file this is a byte order mark, which hides nothing.
            text = line.text.removeprefix("\ufeff") if line.number == 1 else line.text
            hidden[line.number] = list(dict.fromkeys(match[0][0] for match in _HIDDEN.finditer(text)))
    before, after = change.before.text if change.before else "", change.after or ""
    more = {char for char in set[str]().union(*hidden.values()) if after.count(char) > before.count(char)}
    guilty = [(number, [char for char in chars if char in more]) for number, chars in hidden.items()]
    for number, chars in [pair for pair in guilty if pair[1]][:_MOST_REPORTED]:
        names = ", ".join(f"U+{ord(char):04X} {unicodedata.name(char, 'unnamed')}" for char in chars)
        message = f"adds invisible characters that can hide what the text does: {names}"
        yield Finding("bidi", "error", change.target, number, message)
