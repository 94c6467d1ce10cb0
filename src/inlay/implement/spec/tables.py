"""Tables by the titles of their columns, and values that prose gives as "Key: value"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inlay.implement.spec.markdown import Block, Item, Row, Table, Text, plain
from inlay.implement.spec.roles import words

_KEYED = re.compile(r"\s*([A-Za-z][A-Za-z /-]{2,40}?)\s*:\s*(\S.*)$")


def column(table: Table, names: tuple[str, ...]) -> int | None:
    """Which column has one of these titles; the first name that fits decides."""
    titles = [words(plain(cell)) for cell in table.header]
    return next((titles.index(name) for name in names if name in titles), None)


def cell(table: Table, row: Row, names: tuple[str, ...]) -> str:
    """The cell of a row below such a title, as written; empty where there is none."""
    at = column(table, names)
    return row.cells[at] if at is not None and at < len(row.cells) else ""


def keyed(blocks: Iterable[Block]) -> Iterator[tuple[str, str, int]]:
    """Every "Key: value" of the prose: the key as it is compared, the value as written, its line."""
    for block in blocks:
        if not isinstance(block, (Item, Text)):
            continue
        for offset, line in enumerate(block.text.split("\n")):
            found = _KEYED.match(line.replace("**", ""))
            if found:
                yield words(found[1]), found[2].strip(), block.line + offset
