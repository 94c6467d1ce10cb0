"""Which characters a person cannot see, or which steer what shows them, and what to put in their place."""

from __future__ import annotations

import re
import unicodedata

# Cc: control; Cf: bidi, zero-width and tags; Cs: bytes that are not UTF-8; Zl, Zp: line and paragraph separators.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
# Not assigned yet, but Unicode promises that they will never show.
_NEVER_SHOWN = re.compile("[\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]")


def is_hidden(character: str) -> bool:
    """Whether a character does not show, or steers a terminal or the direction of text."""
    return unicodedata.category(character) in _HIDDEN or _NEVER_SHOWN.match(character) is not None


def without_hidden(text: str, substitute: str = "", *, keep: str = "\n\t") -> str:
    """`text` with `substitute` for every hidden character except those in `keep`."""
    if text.isprintable():
        return text
    return "".join(c if c in keep or not is_hidden(c) else substitute for c in text)


def printable(text: str) -> str:
    """Only what shows, and tabs: of the rest some hides, and a model may read what a person cannot see."""
    shown = without_hidden(text, keep="\t")
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() or c == "\t" else " " if c.isspace() else "" for c in shown)


def spelled_out(text: str) -> str:
    """`text` with every hidden character except the tab shown by its picture or its number."""
    if text.isprintable():
        return text
    pictures = {c: chr(0x2400 + ord(c)) if ord(c) < 0x20 else f"<U+{ord(c):04X}>" for c in set(text) if is_hidden(c)}
    return "".join(c if c == "\t" else pictures.get(c, c) for c in text)
