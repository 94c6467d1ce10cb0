"""Markdown as blocks with line numbers: headings, tables, fences, list items, text.

Only what design documents are made of. Written by hand, because a bar inside code does not end a cell here, and because
broken documents (an open fence, a ragged table) must be read in a way that the gate can report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

_LONGEST = 4000  # characters of a line that are looked at; patterns take their time on longer ones
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-{3,})[ \t]*$")
_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})([^`]*)$")
_DIVIDER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|(\d{1,4})[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)$")
_NUMBER = re.compile(r"(?:section\s+|§\s*)?(\d+(?:\.\d+)*)[.):]?(?=\s|$)\s*[-–—:]?\s*(.*)$", re.IGNORECASE)
_DECORATION = re.compile(r"\*\*|~~|`|^\*|\*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_WORD = re.compile(r"[a-z0-9]+")
_KEYED = re.compile(r"\s*([A-Za-z][A-Za-z /-]{2,40}?)\s*:\s*(\S.*)$")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    number: tuple[int, ...]  #: (2, 1) for "2.1 Files"; empty without one
    title: str  #: without the number
    line: int


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    line: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    info: str  #: the word after the fence
    lines: tuple[str, ...]
    line: int  #: of the first line inside
    closed: bool = True  #: False where the document ends first


@dataclass(frozen=True, slots=True)
class Item:
    depth: int  #: columns of indentation
    number: str  #: "3" of "3."; empty for a bullet
    checked: bool | None  #: None where there is no box
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    line: int


Block: TypeAlias = Heading | Table | CodeBlock | Item | Text


def blocks(text: str) -> tuple[Block, ...]:
    lines = [line[:_LONGEST] for line in _without_comments(text).split("\n")]
    return tuple(_Scanner(lines).scan())


def normal(text: str) -> str:
    """The text with plain line ends and without a byte-order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def plain(text: str) -> str:
    """Text without marks of emphasis, links and code."""
    return _DECORATION.sub("", _LINK.sub(r"\1", text)).strip()


def spans(text: str) -> list[str]:
    return [match[2].strip() for match in SPAN.finditer(text)]


def words(title: str) -> str:
    """A title as it is compared: small letters, no punctuation."""
    return " ".join(_WORD.findall(title.lower().replace("&", " and ")))


def column(table: Table, names: tuple[str, ...]) -> int | None:
    """Which column has one of these titles; the first name that fits decides."""
    titles = [words(plain(title)) for title in table.header]
    return next((titles.index(name) for name in names if name in titles), None)


def cell(table: Table, row: Row, names: tuple[str, ...]) -> str:
    """The cell of a row below such a title, as written; empty where there is none."""
    at = column(table, names)
    return row.cells[at] if at is not None and at < len(row.cells) else ""


def keyed(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Every "Key: value" of the prose: the key as it is compared, the value as written."""
    for block in blocks:
        for line in block.text.split("\n") if isinstance(block, (Item, Text)) else ():
            if pair := _KEYED.match(line.replace("**", "")):
                yield words(pair[1]), pair[2].strip()


def _without_comments(text: str) -> str:
    """The text without comments, line by line; in a fence or in backticks there are none."""
    out, fence, inside = [], "", False
    for line in text.split("\n"):
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif not inside and (mark := _FENCE.match(line)):
            fence = mark[2]
        else:
            shown, inside = _stripped(line, inside)
            out.append(shown)
            continue
        out.append(line)
    return "\n".join(out)


def _stripped(line: str, inside: bool) -> tuple[str, bool]:
    """A line without its comments, and whether one continues below it."""
    if not inside and "<!--" not in line:
        return line, False
    kept: list[str] = []
    at = 0
    while True:
        if inside:
            end = line.find("-->", at)
            if end < 0:
                return "".join(kept), True
            at, inside = end + 3, False
        begin = _comment(line, at)
        if begin < 0:
            return "".join([*kept, line[at:]]), False
        kept.append(line[at:begin])
        at, inside = begin + 4, True


def _comment(line: str, at: int) -> int:
    """Where the next comment begins, or -1."""
    quoted = [(span.start(), span.end()) for span in SPAN.finditer(line, at)]
    begin = line.find("<!--", at)
    while begin >= 0 and any(start <= begin < end for start, end in quoted):
        begin = line.find("<!--", begin + 4)
    return begin


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    return len(mark) >= len(fence) and set(mark) == {fence[0]}


class _Scanner:
    """Walks the lines once; every method that reads a block moves on."""

    def __init__(self, lines: list[str]) -> None:
        self._lines, self._at = lines, 0

    def scan(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if fence := _FENCE.match(line):
                yield self._fence(fence[1], fence[2], fence[3].strip())
            elif atx := _ATX.match(line):
                self._at += 1
                yield _heading(len(atx[1]), atx[2] or "", self._at)
            elif self._is_table():
                yield self._table()
            elif item := _ITEM.match(line):
                yield self._item(item)
            elif line.strip():
                yield self._text()
            else:
                self._at += 1

    def _fence(self, indent: str, fence: str, info: str) -> CodeBlock:
        start = end = self._at + 1
        while end < len(self._lines) and not _closes(self._lines[end], fence):
            end += 1
        self._at = end + 1
        inside = tuple(line.removeprefix(indent) for line in self._lines[start:end])
        return CodeBlock(info, inside, start + 1, end < len(self._lines))

    def _is_table(self) -> bool:
        here = self._lines[self._at]
        below = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        # A heading underlined with dashes looks like a divider of one column.
        return "|" in here and "|" in below and bool(_DIVIDER.match(below))

    def _table(self) -> Table:
        start = self._at
        header = cells(self._lines[start])
        rows, self._at = [], start + 2
        while self._at < len(self._lines) and "|" in (line := self._lines[self._at]) and not _ATX.match(line):
            own = cells(line)
            self._at += 1
            rows.append(Row((own + ("",) * len(header))[: max(len(header), len(own))], self._at))
        return Table(header, tuple(rows), start + 1)

    def _item(self, match: re.Match[str]) -> Item:
        start = self._at
        parts = [match[4]]
        self._at += 1
        while self._at < len(self._lines) and self._goes_on():
            parts.append(self._lines[self._at].strip())
            self._at += 1
        checked = None if match[3] is None else match[3] != " "
        return Item(len(match[1].expandtabs()), match[2] or "", checked, " ".join(parts).strip(), start + 1)

    def _text(self) -> Block:
        start, parts = self._at, [self._lines[self._at]]
        self._at += 1
        while self._at < len(self._lines) and not _SETEXT.match(self._lines[self._at]) and self._goes_on():
            parts.append(self._lines[self._at])
            self._at += 1
        if self._at < len(self._lines) and (under := _SETEXT.match(self._lines[self._at])):
            self._at += 1
            if len(parts) == 1:
                return _heading(1 if under[1][0] == "=" else 2, parts[0], start + 1)
        return Text("\n".join(part.strip() for part in parts), start + 1)

    def _goes_on(self) -> bool:
        """Whether this line continues the one above it."""
        line = self._lines[self._at]
        begins = _FENCE.match(line) or _ATX.match(line) or _ITEM.match(line)
        return bool(line.strip()) and not begins and not self._is_table()


def _heading(level: int, text: str, line: int) -> Heading:
    words = plain(text)
    match = _NUMBER.match(words)
    number = tuple(int(step) for step in match[1].split(".")) if match else ()
    return Heading(level, number, match[2].strip() if match else words, line)


def cells(line: str) -> tuple[str, ...]:
    """The cells of a table's row; an escaped bar, or one between backticks, is part of its cell."""
    marked = SPAN.sub(lambda span: span[0].replace("|", "\0"), line.strip().replace("\\|", "\0"))
    inner = marked.removeprefix("|").removesuffix("|")
    return tuple(part.replace("\0", "|").strip() for part in inner.split("|"))
