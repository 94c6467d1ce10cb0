"""A file's text seen as lines, whatever their endings, without splitting it until a rule needs that."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

BLANKS = " \t\f\v"  # within a line; form feeds and the like are no line ends

_INDENT = re.compile(r"^ +(?=[^ \n])", re.MULTILINE)
_SAMPLE = 20_000  # characters from the start that tell a file's indentation
_ENDINGS = re.compile(r"\r\n|\r|\n")

# Characters that models and editors swap for one another without meaning anything by it.
_ALIKE = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043",
    " ": "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "": "\u200b\u200c\u200d\u2060\ufeff\u00ad",
    "...": "\u2026",
}
_FOLDS = tuple((odd, plain) for plain, odds in _ALIKE.items() for odd in odds)


def fold(text: str) -> str:
    """Text with look-alike characters made equal; line breaks stay where they are."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    # One search per character beats translate() by far: almost none of them is there.
    for odd, plain in _FOLDS:
        if odd in text:
            text = text.replace(odd, plain)
    return text


def is_blank(line: str) -> bool:
    return not line.strip(BLANKS)


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(BLANKS))]


def common_prefix(a: Sequence[str], b: Sequence[str]) -> int:
    """How many lines two sequences share at their beginning."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def count_lines(text: str, start: int = 0, end: int | None = None) -> int:
    """How many lines there are; a last one without its ending counts."""
    end = len(text) if end is None else end
    has_returns = text.find("\r", start, end) >= 0
    lone = text.count("\r", start, end) - text.count("\r\n", start, end) if has_returns else 0
    is_open = end > start and text[end - 1] not in "\r\n"
    return text.count("\n", start, end) + lone + is_open


class Source:
    """One text with its lines; `norm` is the same text with every line ending read as a plain newline."""

    __slots__ = (
        "_folded",
        "_hits",
        "_is_crlf",
        "_known",
        "_lines",
        "_mark",
        "_own",
        "_starts",
        "_unit",
        "norm",
        "text",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.norm = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self._known = {0: 0}
        self._mark = (0, 0)
        self._lines: list[str] | None = None
        self._starts: list[int] | None = None
        self._own: list[int] | None = None
        self._is_crlf: bool | None = None
        self._unit: int | None = None
        self._folded: Source | None = None
        self._hits: dict[tuple[str, ...], tuple[int, list[int]] | None] = {}

    @property
    def is_plain(self) -> bool:
        return self.norm is self.text

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = self.norm.split("\n")
            if not self._lines[-1]:
                self._lines.pop()
        return self._lines

    @property
    def count(self) -> int:
        if self._lines is not None:
            return len(self._lines)
        return self.norm.count("\n") + (bool(self.norm) and not self.norm.endswith("\n"))

    @property
    def indent_unit(self) -> int:
        """How many blanks one level is in this file, 0 where it is unclear or tabs."""
        if self._unit is None:
            widths = set(map(len, _INDENT.findall(self.norm, 0, _SAMPLE)))
            self._unit = next((n for n in (4, 2) if widths and all(width % n == 0 for width in widths)), 0)
        return self._unit

    def folded(self) -> Source:
        if self._folded is None:
            folded = fold(self.norm)
            self._folded = self if folded is self.norm else Source(folded)
        return self._folded

    def line_at(self, offset: int) -> int:
        """The 0-based number of the line that begins at an offset of `norm`."""
        # Places come in file order, so counting on from the last one keeps many look-ups cheap.
        line, start = self._mark if self._mark[1] <= offset else (0, 0)
        found = line + self.norm.count("\n", start, offset)
        self._mark = (found, offset)
        self._known[found] = offset
        return found

    def offset(self, line: int) -> int:
        """Where a line begins in `norm`; one past the last line is the end."""
        if line in self._known:
            return self._known[line]
        if self._starts is None:
            if (near := self._walk(line)) is not None:
                return near
            self._starts = [0, *accumulate(len(text) + 1 for text in self.lines)]
        return min(self._starts[min(line, len(self._starts) - 1)], len(self.norm))

    def _walk(self, line: int) -> int | None:
        known = max((n for n in self._known if n <= line), default=0)
        if line - known > 200:
            return None
        at = self._known[known]
        for _ in range(line - known):
            at = self.norm.find("\n", at) + 1 or len(self.norm)
        self._known[line] = at
        return at

    def line(self, number: int) -> str:
        """The text of one line."""
        start = self.offset(number)
        end = self.norm.find("\n", start)
        return self.norm[start:] if end < 0 else self.norm[start:end]

    def own_offset(self, line: int) -> int:
        """Where a line begins in the text itself, its line endings counted as they are."""
        if self.is_plain:
            return self.offset(line)
        if self._is_crlf is None:
            # Only a two-letter ending makes the text longer than `norm`, so equal counts mean all lines have it.
            self._is_crlf = len(self.text) - len(self.norm) == self.norm.count("\n")
        if self._is_crlf:
            return min(self.offset(line) + line, len(self.text))
        if self._own is None:
            self._own = [0, *(m.end() for m in _ENDINGS.finditer(self.text))]
        return self._own[line] if line < len(self._own) else len(self.text)

    def own_lines(self, first: int, end: int) -> list[tuple[str, str]]:
        """Lines `first` up to `end`, each as its text and its own ending."""
        part = self.text[self.own_offset(first) : self.own_offset(end)]
        if self.is_plain:
            lines = [(line, "\n") for line in part.split("\n")]
            last = lines.pop()
            return [*lines, (last[0], "")] if last[0] else lines
        found, at = [], 0
        for m in _ENDINGS.finditer(part):
            found.append((part[at : m.start()], m.group()))
            at = m.end()
        return [*found, (part[at:], "")] if at < len(part) else found
