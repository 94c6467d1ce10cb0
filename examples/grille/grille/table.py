"""Tables of plain values: rows in, aligned columns out, as text, Markdown, HTML or CSV."""

from __future__ import annotations

import csv
import html
import io
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

Row = tuple[Any, ...]

ALIGNMENTS = ("left", "right", "center", "auto")


class TableError(ValueError):
    """What was asked of a table cannot be done."""


class UnknownColumn(TableError):
    """A column was named that the table does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"there is no column {name!r}; there are {', '.join(map(repr, known)) or 'none'}")
        self.name = name


# --- Measuring and shaping text -----------------------------------------------------------------------------------


def text_width(text: str) -> int:
    """How many cells of a terminal a line of text takes.

    Wide characters, as in Chinese or Japanese, take two; combining marks take none.
    """
    if text.isascii():
        return len(text)
    cells = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
            continue
        cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells


def pad(text: str, width: int, align: str) -> str:
    """`text` filled up to `width` cells; what is longer already stays as it is."""
    missing = width - text_width(text)
    if missing <= 0:
        return text
    if align == "right":
        return " " * missing + text
    if align == "center":
        before = missing // 2
        return " " * before + text + " " * (missing - before)
    return text + " " * missing


def clip(text: str, width: int, mark: str = "…") -> str:
    """`text` cut to at most `width` cells, with a mark where something is missing."""
    if text_width(text) <= width:
        return text
    room = width - text_width(mark)
    if room < 0:
        return ""
    kept, cells = [], 0
    for character in text:
        cells += text_width(character)
        if cells > room:
            break
        kept.append(character)
    return "".join(kept) + mark


def wrap(text: str, width: int) -> list[str]:
    """`text` as lines of at most `width` cells, broken at blanks where there are some."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if text_width(paragraph) <= width:
            lines.append(paragraph)
            continue
        lines += textwrap.wrap(paragraph, width, break_long_words=True, break_on_hyphens=False) or [""]
    return lines


# --- Values -------------------------------------------------------------------------------------------------------


def is_number(value: object) -> bool:
    """Whether a value is a number; a truth value is none, although Python counts it as one."""
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def format_value(value: object, spec: str = "", missing: str = "") -> str:
    """A value as it is shown.

    `spec` is what follows the colon in an f-string, and counts for numbers and dates only.
    """
    if value is None:
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    if spec and (is_number(value) or isinstance(value, (date, datetime))):
        return format(value, spec)
    if isinstance(value, float):
        return format(value, "g")
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return str(value)


_INTEGER = re.compile(r"[+-]?\d{1,18}$")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?$")


def parse_value(text: str) -> Any:
    """The value that a text stands for: a whole number, a number, or the text itself; nothing for blank text.

    Numbers with leading zeros stay text, because they are codes more often than amounts.
    """
    bare = text.strip()
    if not bare:
        return None
    digits = bare.lstrip("+-")
    if len(digits) > 1 and digits.startswith("0") and digits[1].isdigit():
        return text
    if _INTEGER.match(bare):
        return int(bare)
    if _DECIMAL.match(bare):
        return float(bare)
    return text


# --- Columns ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """How one column is called and shown."""

    name: str
    align: str = "auto"  # numbers to the right, everything else to the left
    format: str = ""
    missing: str = ""
    max_width: int | None = None
    wrap: bool = False  # long cells become several lines instead of being cut

    def __post_init__(self) -> None:
        if not self.name or "\n" in self.name:
            raise TableError(f"{self.name!r} is no name for a column")
        if self.align not in ALIGNMENTS:
            raise TableError(f"{self.align!r} is no alignment; there are {', '.join(ALIGNMENTS)}")
        if self.max_width is not None and self.max_width < 1:
            raise TableError(f"the column {self.name!r} cannot be {self.max_width} wide")

    def show(self, value: object) -> str:
        """One value as this column shows it."""
        return format_value(value, self.format, self.missing)

    def cell(self, value: object) -> list[str]:
        """The lines of one cell."""
        text = self.show(value)
        if self.max_width is None:
            return text.split("\n")
        if self.wrap:
            return wrap(text, self.max_width)
        return [clip(line, self.max_width) for line in text.split("\n")]

    def alignment(self, values: Iterable[object]) -> str:
        """Where the cells stand, decided by the values where the column leaves it open."""
        if self.align != "auto":
            return self.align
        given = [value for value in values if value is not None]
        return "right" if given and all(is_number(value) for value in given) else "left"


def as_column(column: str | Column) -> Column:
    """A column by its name alone, or as it is."""
    return column if isinstance(column, Column) else Column(column)


# --- Styles -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """A horizontal line: its left end, what fills it, where columns meet, its right end."""

    left: str
    fill: str
    cross: str
    right: str

    def draw(self, widths: Sequence[int]) -> str:
        """The line above, below or between rows whose columns are so wide."""
        return self.left + self.cross.join(self.fill * width for width in widths) + self.right


@dataclass(frozen=True)
class Style:
    """How a table is drawn as text."""

    left: str = ""
    between: str = "  "
    right: str = ""
    padding: int = 0
    top: Rule | None = None
    below_header: Rule | None = None
    between_rows: Rule | None = None
    bottom: Rule | None = None
    strip: bool = False  # no blanks at the ends of lines

    def line(self, cells: Sequence[str]) -> str:
        """One line of a row whose cells have been padded already."""
        blank = " " * self.padding
        text = self.left + self.between.join(f"{blank}{cell}{blank}" for cell in cells) + self.right
        return text.rstrip() if self.strip else text

    def drawn(self, rule: Rule | None, widths: Sequence[int]) -> list[str]:
        """A rule as lines: one, or none where the style has none there."""
        if rule is None:
            return []
        return [rule.draw([width + 2 * self.padding for width in widths])]


STYLES: dict[str, Style] = {
    "plain": Style(strip=True),
    "simple": Style(strip=True, below_header=Rule("", "-", "  ", "")),
    "ascii": Style(
        left="|",
        between="|",
        right="|",
        padding=1,
        top=Rule("+", "-", "+", "+"),
        below_header=Rule("+", "=", "+", "+"),
        bottom=Rule("+", "-", "+", "+"),
    ),
    "grid": Style(
        left="|",
        between="|",
        right="|",
        padding=1,
        top=Rule("+", "-", "+", "+"),
        below_header=Rule("+", "=", "+", "+"),
        between_rows=Rule("+", "-", "+", "+"),
        bottom=Rule("+", "-", "+", "+"),
    ),
    "box": Style(
        left="│",
        between="│",
        right="│",
        padding=1,
        top=Rule("┌", "─", "┬", "┐"),
        below_header=Rule("├", "─", "┼", "┤"),
        bottom=Rule("└", "─", "┴", "┘"),
    ),
    "rounded": Style(
        left="│",
        between="│",
        right="│",
        padding=1,
        top=Rule("╭", "─", "┬", "╮"),
        below_header=Rule("├", "─", "┼", "┤"),
        bottom=Rule("╰", "─", "┴", "╯"),
    ),
}


def style_named(style: str | Style) -> Style:
    """A style by its name, or as it is."""
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise TableError(f"there is no style {style!r}; there are {', '.join(STYLES)}")
    return STYLES[style]


# --- Tables -------------------------------------------------------------------------------------------------------


class Table:
    """Columns and rows. Every method that changes something gives a new table and leaves this one alone."""

    def __init__(self, columns: Iterable[str | Column], rows: Iterable[Sequence[Any]] = ()) -> None:
        self._columns = tuple(as_column(column) for column in columns)
        self._index = {column.name: at for at, column in enumerate(self._columns)}
        if len(self._index) != len(self._columns):
            raise TableError("two columns have the same name")
        self._rows = tuple(self._checked(row) for row in rows)

    # Making tables

    @classmethod
    def from_records(cls, records: Iterable[Mapping[str, Any]], columns: Iterable[str] | None = None) -> Table:
        """A table from mappings; its columns are those named, or all there are in the order they appear."""
        kept = list(records)
        names = list(columns) if columns is not None else list(dict.fromkeys(name for each in kept for name in each))
        return cls(names, [[record.get(name) for name in names] for record in kept])

    @classmethod
    def from_csv(cls, text: str, *, delimiter: str = ",", parse: bool = True) -> Table:
        """A table from comma-separated values whose first line has the names; short lines are filled up."""
        lines = [line for line in csv.reader(io.StringIO(text), delimiter=delimiter) if line]
        if not lines:
            raise TableError("there is no line with the names of the columns")
        names, *rest = lines
        width = len(names)
        if any(len(line) > width for line in rest):
            raise TableError("a line has more values than there are columns")
        read = parse_value if parse else str
        return cls([name.strip() for name in names], [[read(cell) for cell in _filled(line, width)] for line in rest])

    @classmethod
    def from_markdown(cls, text: str, *, parse: bool = True) -> Table:
        """The first table of a Markdown text."""
        lines = [line.strip() for line in text.splitlines()]
        for at in range(len(lines) - 1):
            if "|" in lines[at] and _DIVIDER.match(lines[at + 1]):
                return cls._from_markdown_lines(lines[at:], parse)
        raise TableError("there is no table in the text")

    @classmethod
    def _from_markdown_lines(cls, lines: list[str], parse: bool) -> Table:
        names = _markdown_cells(lines[0])
        alignments = [_alignment(cell) for cell in _markdown_cells(lines[1])]
        columns = [Column(name, align=align) for name, align in zip(names, alignments)]
        rows = []
        for line in lines[2:]:
            if "|" not in line:
                break
            cells = _filled(_markdown_cells(line), len(columns))[: len(columns)]
            rows.append([parse_value(cell) if parse else cell for cell in cells])
        return cls(columns, rows)

    def _checked(self, row: Sequence[Any]) -> Row:
        values = tuple(row)
        if len(values) != len(self._columns):
            raise TableError(f"a row has {len(values)} values, but there are {len(self._columns)} columns")
        return values

    # Looking at tables

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns from left to right."""
        return self._columns

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns from left to right."""
        return tuple(column.name for column in self._columns)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows from top to bottom."""
        return self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_records())

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._columns == other._columns and self._rows == other._rows

    def __hash__(self) -> int:
        return hash((self._columns, self._rows))

    def __repr__(self) -> str:
        return f"Table({list(self.names)!r}, {len(self._rows)} rows)"

    def __str__(self) -> str:
        return self.to_text()

    def position(self, name: str) -> int:
        """Where a column stands; raises UnknownColumn."""
        if name not in self._index:
            raise UnknownColumn(name, self._index)
        return self._index[name]

    def column(self, name: str) -> tuple[Any, ...]:
        """The values of one column from top to bottom."""
        at = self.position(name)
        return tuple(row[at] for row in self._rows)

    def row(self, at: int) -> dict[str, Any]:
        """One row by its number, counted from 0; a negative one is counted from the end."""
        try:
            return dict(zip(self.names, self._rows[at]))
        except IndexError:
            raise TableError(f"there is no row {at} in a table of {len(self._rows)}") from None

    # Changing rows

    def _with(self, rows: Iterable[Sequence[Any]]) -> Table:
        return Table(self._columns, rows)

    def add_row(self, *values: Any, **named: Any) -> Table:
        """A table with one more row, given in order or by name."""
        if values and named:
            raise TableError("give a row in order or by name, not both")
        for name in named:
            self.position(name)
        row = values if values else [named.get(name) for name in self.names]
        return self._with([*self._rows, row])

    def where(self, keep: Callable[[dict[str, Any]], bool]) -> Table:
        """The rows for which `keep` holds."""
        names = self.names
        return self._with(row for row in self._rows if keep(dict(zip(names, row))))

    def sort(self, *by: str, reverse: bool = False) -> Table:
        """The rows in the order of one or more columns; rows without a value come last, either way round."""
        places = [self.position(name) for name in by] or list(range(len(self._columns)))
        ordered = list(self._rows)
        for place in reversed(places):
            given = [row for row in ordered if row[place] is not None]
            empty = [row for row in ordered if row[place] is None]
            ordered = sorted(given, key=lambda row: _sort_key(row[place]), reverse=reverse) + empty
        return self._with(ordered)

    def head(self, count: int) -> Table:
        """The first rows."""
        return self._with(self._rows[: max(count, 0)])

    def tail(self, count: int) -> Table:
        """The last rows."""
        return self._with(self._rows[-count:] if count > 0 else ())

    def unique(self, *by: str) -> Table:
        """The first row of every combination of values in the named columns, or in all of them."""
        places = [self.position(name) for name in by] or list(range(len(self._columns)))
        first: dict[tuple[Any, ...], Row] = {}
        for row in self._rows:
            first.setdefault(tuple(row[place] for place in places), row)
        return self._with(first.values())

    def concat(self, other: Table) -> Table:
        """The rows of both tables; the other one must have the same columns, in any order."""
        if set(other.names) != set(self.names):
            raise TableError("tables with different columns cannot be joined one below the other")
        return self._with([*self._rows, *other.select(*self.names).rows])

    # Changing columns

    def select(self, *names: str) -> Table:
        """These columns only, in this order."""
        places = [self.position(name) for name in names]
        return Table([self._columns[place] for place in places], [[row[place] for place in places] for row in self._rows])

    def drop(self, *names: str) -> Table:
        """All columns but these."""
        for name in names:
            self.position(name)
        return self.select(*(name for name in self.names if name not in names))

    def rename(self, **names: str) -> Table:
        """Other names for some columns: `rename(old="new")`."""
        for name in names:
            self.position(name)
        return Table([replace(each, name=names.get(each.name, each.name)) for each in self._columns], self._rows)

    def add_column(self, column: str | Column, values: Iterable[Any] | Callable[[dict[str, Any]], Any]) -> Table:
        """One more column at the right, from values or from a function of each row."""
        names = self.names
        if callable(values):
            cells = [values(dict(zip(names, row))) for row in self._rows]
        else:
            cells = list(values)
        if len(cells) != len(self._rows):
            raise TableError(f"{len(cells)} values do not fit {len(self._rows)} rows")
        return Table([*self._columns, as_column(column)], [(*row, cell) for row, cell in zip(self._rows, cells)])

    def map(self, name: str, change: Callable[[Any], Any]) -> Table:
        """One column with every value changed; missing values stay missing."""
        at = self.position(name)
        return self._with(
            [*row[:at], None if row[at] is None else change(row[at]), *row[at + 1 :]] for row in self._rows
        )

    def format(self, name: str, **options: Any) -> Table:
        """One column shown in another way: `format("price", format=".2f", align="right")`."""
        at = self.position(name)
        columns = list(self._columns)
        columns[at] = replace(columns[at], **options)
        return Table(columns, self._rows)

    def transpose(self, heading: str = "") -> Table:
        """Columns become rows; the values of the first column become the names of the new columns."""
        if not self._columns:
            return self
        first, *others = self.names
        names = [heading or first, *(format_value(value) or "–" for value in self.column(first))]
        return Table(names, [[name, *self.column(name)] for name in others])

    # Rendering

    def to_records(self) -> list[dict[str, Any]]:
        """The rows as mappings."""
        names = self.names
        return [dict(zip(names, row)) for row in self._rows]

    def to_text(self, style: str | Style = "simple", *, header: bool = True) -> str:
        """The table for a terminal or a text file; without a newline at the end."""
        chosen = style_named(style)
        cells = [[column.cell(value) for column, value in zip(self._columns, row)] for row in self._rows]
        heads = [column.name for column in self._columns]
        widths = self._widths(cells, heads if header else None)
        aligned = self._alignments()
        lines = chosen.drawn(chosen.top, widths)
        if header:
            lines.append(chosen.line([pad(*each) for each in zip(heads, widths, aligned)]))
            lines += chosen.drawn(chosen.below_header, widths)
        for at, row in enumerate(cells):
            if at:
                lines += chosen.drawn(chosen.between_rows, widths)
            lines += self._row_lines(row, widths, aligned, chosen)
        lines += chosen.drawn(chosen.bottom, widths)
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """The table in Markdown; bars in cells are escaped, and line breaks become `<br>`."""
        aligned = self._alignments()
        rows = [[_markdown_text(column.show(value)) for column, value in zip(self._columns, row)] for row in self._rows]
        heads = [_markdown_text(name) for name in self.names]
        widths = [max(3, *(text_width(row[at]) for row in [heads, *rows])) for at in range(len(heads))]
        lines = [_markdown_line(pad(*each) for each in zip(heads, widths, aligned))]
        lines.append(_markdown_line(_markdown_rule(*each) for each in zip(widths, aligned)))
        lines += [_markdown_line(pad(*each) for each in zip(row, widths, aligned)) for row in rows]
        return "\n".join(lines)

    def to_html(self, *, caption: str = "") -> str:
        """The table as an HTML element, every value escaped."""
        aligned = self._alignments()
        lines = ["<table>"]
        if caption:
            lines.append(f"  <caption>{html.escape(caption)}</caption>")
        lines += ["  <thead>", _html_row("th", self.names, aligned), "  </thead>", "  <tbody>"]
        for row in self._rows:
            shown = [column.show(value) for column, value in zip(self._columns, row)]
            lines.append(_html_row("td", shown, aligned))
        lines += ["  </tbody>", "</table>"]
        return "\n".join(lines)

    def to_csv(self, *, delimiter: str = ",", header: bool = True) -> str:
        """The table as comma-separated values, as they are and not as they are shown; lines end with a newline."""
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        if header:
            writer.writerow(self.names)
        for row in self._rows:
            writer.writerow(["" if value is None else value for value in row])
        return stream.getvalue()

    def _alignments(self) -> list[str]:
        return [column.alignment(self.column(column.name)) for column in self._columns]

    def _widths(self, cells: list[list[list[str]]], heads: Sequence[str] | None) -> list[int]:
        """The widest line of every column."""
        widths = [text_width(head) for head in heads] if heads is not None else [0] * len(self._columns)
        for row in cells:
            for at, lines in enumerate(row):
                widths[at] = max(widths[at], *(text_width(line) for line in lines))
        return widths

    def _row_lines(self, row: list[list[str]], widths: list[int], aligned: list[str], style: Style) -> list[str]:
        """The lines of one row; shorter cells are filled up with blank lines."""
        height = max((len(lines) for lines in row), default=1)
        filled = [lines + [""] * (height - len(lines)) for lines in row]
        return [
            style.line([pad(lines[at], width, align) for lines, width, align in zip(filled, widths, aligned)])
            for at in range(height)
        ]


# --- Pieces of formats --------------------------------------------------------------------------------------------

_DIVIDER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_BAR = re.compile(r"(?<!\\)\|")


def _filled(cells: Sequence[str], width: int) -> list[str]:
    """Cells with empty ones added until there are as many as columns."""
    return [*cells, *[""] * (width - len(cells))]


def _sort_key(value: Any) -> tuple[int, Any]:
    """Numbers before text, so that columns that hold both have an order."""
    if is_number(value) or isinstance(value, bool):
        return (0, value)
    if isinstance(value, (date, datetime)):
        return (1, value.isoformat())
    return (2, str(value).casefold())


def _markdown_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|").replace("<br>", "\n") for cell in _BAR.split(inner)]


def _markdown_text(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_rule(width: int, align: str) -> str:
    if align == "right":
        return "-" * (width - 1) + ":"
    if align == "center":
        return ":" + "-" * (width - 2) + ":"
    return "-" * width


def _alignment(rule: str) -> str:
    """The alignment that the line below a Markdown header asks for."""
    left, right = rule.startswith(":"), rule.endswith(":")
    if left and right:
        return "center"
    return "right" if right else "left" if left else "auto"


def _html_row(tag: str, cells: Iterable[str], aligned: Iterable[str]) -> str:
    parts = []
    for cell, align in zip(cells, aligned):
        styled = f' style="text-align: {align}"' if align != "left" else ""
        parts.append(f"<{tag}{styled}>{html.escape(cell).replace(chr(10), '<br>')}</{tag}>")
    return f"    <tr>{''.join(parts)}</tr>"
