"""A file's text seen as lines, whatever their endings, without splitting it until a rule needs that."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from inlay.model.match import Place

BLANKS = " \t\f\v"  # within a line; form feeds and the like are no line ends

_INDENT = re.compile(r"^ +(?=[^ \n])", re.MULTILINE)
_SAMPLE = 20_000  # characters from the start that tell a file's indentation
_ENDINGS = re.compile(r"\r\n|\r|\n")

_WORD = re.compile(r"\w+")

MOST_WORK = 2_000_000_000  #: letters that may be searched to find all edits of one file
_LETTERS_A_LINE = 2000  # as costly to search as one line is to compare
_WORTH_AN_INDEX = 40  # times that the text was searched before an index of its lines is cheaper
_WORTH_WORDS = 100  # the same of its words
_MOST_FOR_WORDS = 4_000_000  # letters; an index of the words of a longer text takes too long
_WORTH_OFFSETS = 20  # times that its lines were counted before a list of their offsets is cheaper
_FEW_LINES = 200  # to walk from a line whose offset is known
_FAR = 10_000  # letters

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
    """How many lines, or letters, two sequences share at their beginning."""
    # Slices are compared at the speed of memory, so the shared part is found in ever longer steps.
    same, step, most = 0, 8, min(len(a), len(b))
    while same < most and a[same : same + step] == b[same : same + step]:
        same, step = min(same + step, most), 2 * step
    while step > 1 and same < most:
        step //= 2
        if a[same : same + step] == b[same : same + step]:
            same = min(same + step, most)
    return same


def count_lines(text: str, start: int = 0, end: int | None = None) -> int:
    """How many lines there are; a last one without its ending counts."""
    end = len(text) if end is None else end
    has_returns = text.find("\r", start, end) >= 0
    lone = text.count("\r", start, end) - text.count("\r\n", start, end) if has_returns else 0
    is_open = end > start and text[end - 1] not in "\r\n"
    return text.count("\n", start, end) + lone + is_open


def _joins(a: str, b: str) -> bool:
    """Whether two characters that follow each other are of one word."""
    return (a.isalnum() or a == "_") and (b.isalnum() or b == "_")


def _core(line: str) -> str:
    return line.strip(BLANKS)


def _ends(lines: list[str]) -> list[int]:
    """Offsets of all lines of a text, and of what follows the last one."""
    return [0, *accumulate(map((1).__add__, map(len, lines)))]


class TooCostly(Exception):
    """Looking for the edits of one file took more work than any sensible reply needs."""


class SearchWork:
    """What searching has cost so far; counted, not timed, so that the same reply is refused on every machine."""

    __slots__ = ("letters",)

    def __init__(self) -> None:
        self.letters = 0

    def spend(self, letters: int = 0, lines: int = 0) -> None:
        """Count letters that were searched and lines that were compared; raises TooCostly when it was too much."""
        self.letters += letters + lines * _LETTERS_A_LINE
        if self.letters > MOST_WORK:
            raise TooCostly


class Source:
    """One text with its lines; `norm` is the same text with every line ending read as a plain newline."""

    __slots__ = (
        "_absent",
        "_cores",
        "_counted",
        "_folded",
        "_hits",
        "_is_crlf",
        "_lines",
        "_lowered",
        "_marks",
        "_own",
        "_since",
        "_solid",
        "_starts",
        "_trimmed",
        "_unit",
        "_where",
        "_words",
        "found",
        "norm",
        "text",
        "work",
    )

    def __init__(self, text: str, work: SearchWork | None = None) -> None:
        self.text = text
        self.work = work or SearchWork()
        self._since = self.work.letters
        self.norm = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self._marks = ([0], [0])  # lines whose offsets are known, and the offsets; both ascending
        self._counted = 0
        self._lines: list[str] | None = None
        self._starts: list[int] | None = None
        self._cores: str | None = None
        self._trimmed: str | None = None
        self._solid: tuple[str, list[int]] | None = None
        self._where: dict[str, list[int]] | None = None
        self._own: list[int] | None = None
        self._is_crlf: bool | None = None
        self._unit: int | None = None
        self._folded: Source | None = None
        self._lowered: Source | None = None
        self._absent: set[str] = set()
        self._words: dict[str, list[int]] | None = None
        self.found: dict[object, list[Place]] = {}  # by what was looked for, and how
        self._hits: dict[tuple[str, ...], tuple[int, list[int]] | None] = {}

    @property
    def is_indexed(self) -> bool:
        """Whether looking lines up is worth an index by now, or soon."""
        return self._where is not None or self._is_worth(_WORTH_AN_INDEX)

    def _is_worth(self, times: int) -> bool:
        return self.work.letters - self._since > times * len(self.norm)

    @property
    def where(self) -> dict[str, list[int]]:
        """The numbers of all lines that are the same but for outer blanks, by what is between these."""
        if self._where is None:
            where: dict[str, list[int]] = {}
            for number, core in enumerate(map(_core, self.lines)):
                where.setdefault(core, []).append(number)
            self._where = where
        return self._where

    def word_lines(self, word: str, most: int) -> list[int]:
        """The numbers of the first lines that have a word, which is a run of letters and digits or a single sign."""
        if self._words is None and self._is_worth(_WORTH_WORDS) and len(self.norm) <= _MOST_FOR_WORDS:
            words: dict[str, list[int]] = {}
            for number, line in enumerate(self.lines):
                for known in set(_WORD.findall(line)):
                    words.setdefault(known, []).append(number)
            self._words = words
        if self._words is not None and _WORD.fullmatch(word):
            return self._words.get(word, [])[:most]
        norm, found, at = self.norm, list[int](), self.norm.find(word)
        while at >= 0 and len(found) < most:
            if not _joins(norm[at - 1 : at], word[0]) and not _joins(
                word[-1], norm[at + len(word) : at + len(word) + 1]
            ):
                found.append(self.line_at(norm.rfind("\n", 0, at) + 1))
                at = norm.find("\n", at)
            elif run := _WORD.match(norm, at):
                at = run.end()  # whatever else is in the longer word is no word either
            at = norm.find(word, at) if at >= 0 else -1
        self.work.spend(letters=len(norm) if at < 0 else at)
        return found

    def find(self, text: str) -> int:
        """Where a text begins in `norm`, wherever its lines break; -1 where it does not."""
        if text in self._absent:
            return -1
        at = self.norm.find(text)
        self.work.spend(letters=len(self.norm) if at < 0 else at)
        if at < 0:
            self._absent.add(text)
        return at

    @property
    def cores(self) -> str:
        """All lines without their outer blanks, each with a newline before and after it."""
        if self._cores is None:
            self._cores = "\n".join(["", *map(_core, self.lines), ""])
        return self._cores

    @property
    def trimmed(self) -> str:
        """The same with the blanks that lines begin with."""
        if self._trimmed is None:
            self._trimmed = "\n".join(["", *(line.rstrip(BLANKS) for line in self.lines), ""])
        return self._trimmed

    @property
    def solid(self) -> tuple[str, list[int]]:
        """The cores without blank lines, and the number of each line that is left."""
        if self._solid is None:
            numbers = [number for number, line in enumerate(self.lines) if not is_blank(line)]
            self._solid = "\n".join(["", *(self.lines[number].strip(BLANKS) for number in numbers), ""]), numbers
        return self._solid

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
            self._folded = self if folded is self.norm else Source(folded, self.work)
        return self._folded

    def lowered(self) -> Source | None:
        """The text in lower case, line by line the same; None where letters change their number with their case."""
        if self._lowered is None and len(lower := self.norm.lower()) == len(self.norm):
            self._lowered = Source(lower, self.work)
        return self._lowered

    def line_at(self, offset: int) -> int:
        """The 0-based number of the line that begins at an offset of `norm`."""
        if self._starts is not None:
            return bisect_right(self._starts, offset) - 1
        lines, offsets = self._marks
        near = bisect_right(offsets, offset) - 1
        if offset - offsets[near] > _FAR and self._is_worn(offset - offsets[near]):
            return bisect_right(self._line_starts(), offset) - 1
        found = lines[near] + self.norm.count("\n", offsets[near], offset)
        self._mark(near, found, offset)
        return found

    def offset(self, line: int) -> int:
        """Where a line begins in `norm`; one past the last line is the end."""
        if self._starts is None:
            lines, offsets = self._marks
            near = bisect_right(lines, line) - 1
            if line - lines[near] <= _FEW_LINES:
                at = offsets[near]
                for _ in range(line - lines[near]):
                    at = self.norm.find("\n", at) + 1 or len(self.norm)
                self._mark(near, line, at)
                return at
        starts = self._line_starts()
        return min(starts[min(line, len(starts) - 1)], len(self.norm))

    def _mark(self, near: int, line: int, offset: int) -> None:
        lines, offsets = self._marks
        if lines[near] < line and offsets[near] < offset:
            lines.insert(near + 1, line)
            offsets.insert(near + 1, offset)

    def _is_worn(self, letters: int) -> bool:
        """Whether so much was counted that the offsets of all lines are cheaper."""
        self._counted += letters
        return self._counted > _WORTH_OFFSETS * len(self.norm)

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = _ends(self.lines)
        return self._starts

    def line(self, number: int) -> str:
        """The text of one line."""
        if self._lines is not None:
            return self._lines[number] if number < len(self._lines) else ""
        start = self.offset(number)
        end = self.norm.find("\n", start)
        return self.norm[start:] if end < 0 else self.norm[start:end]

    def run(self, first: int, count: int) -> list[str]:
        """The texts of some lines that follow each other, fewer at the end of the file."""
        if self._lines is not None:
            return self._lines[first : first + count]
        start = end = self.offset(first)
        for _ in range(count):
            end = self.norm.find("\n", end) + 1 or len(self.norm)
        lines = self.norm[start:end].split("\n")
        return lines if lines[-1] else lines[:-1]

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
            # Every ending becomes one newline at its end, so that lines keep their lengths.
            self._own = _ends(self.text.replace("\r\n", " \n").replace("\r", "\n").split("\n"))
        return min(self._own[line], len(self.text)) if line < len(self._own) else len(self.text)

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
