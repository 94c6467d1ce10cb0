"""The files that a document says are changed, from a table or a list, and every other path it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inlay.implement.spec.document import ChangeKind, Mention, PlannedFile, Remark, Role
from inlay.implement.spec.markdown import Block, Heading, Item, Table, Text, cell, column, plain, spans, words
from inlay.implement.spec.roles import Section

_KINDS: tuple[tuple[ChangeKind, frozenset[str]], ...] = (
    ("add", frozenset("add adds added new create creates created".split())),
    ("modify", frozenset("modify modifies modified change changed update updates updated edit edited extend".split())),
    ("delete", frozenset("delete deletes deleted remove removes removed drop".split())),
)
_PATH_COLUMNS = ("file", "path", "files", "file path", "filename", "module", "file or module")
_KIND_COLUMNS = ("change type", "change", "type", "action", "operation", "kind")
_DESCRIPTION_COLUMNS = ("description", "purpose", "notes", "what", "why", "details", "summary")
# A path as prose has it: steps of ordinary characters, and an ending or a final slash.
_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w.@+-]+/)*[\w.@+-]*\w\.[A-Za-z]\w{0,7}$|(?:[\w.@+-]+/)+$")
_IN_PROSE = re.compile(r"(?<![\w`/.:])(?:[\w.@+-]+/)+[\w.@+-]*\w\.[A-Za-z]\w{0,7}(?![\w/])")
# "docs.example.com/x.html" and "e.g." have dots as well; a bare name counts only with an ending of code or text.
_BARE = re.compile(
    r"[\w.@+-]*\w\.(?:py|pyi|toml|cfg|ini|md|rst|txt|json|ya?ml|[cm]?[jt]sx?|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|sh|sql"
    r"|html|css|php|swift|scala|lua|ex|exs)$"
)


def read_files(section: Section) -> tuple[tuple[PlannedFile, ...], tuple[Remark, ...]]:
    """Every file of the section in its order; a table decides, and a list only where there is no table."""
    tables = [block for block in section.blocks if isinstance(block, Table)]
    tables = [table for table in tables if column(table, _PATH_COLUMNS) is not None]
    if not tables:
        return tuple(file for block in section.blocks if isinstance(block, Item) for file in _from_item(block)), ()
    files: list[PlannedFile] = []
    remarks: list[Remark] = []
    for table in tables:
        for row in table.rows:
            named = cell(table, row, _PATH_COLUMNS)
            written = plain(cell(table, row, _KIND_COLUMNS))
            description = plain(cell(table, row, _DESCRIPTION_COLUMNS))
            names = spans(named) or [part for part in re.split(r",\s+|<br\s*/?>", named) if part.strip()]
            paths = [clean(name) for name in names if clean(name)]
            files += [_file(path, written, description, row.line) for path in paths]
            if not paths and any(row.cells):
                remarks.append(Remark("no-path", "error", "this row of the files names no path", row.line))
    return tuple(files), tuple(remarks)


def clean(path: str) -> str:
    """A path without what surrounds it in prose."""
    bare = path.strip().strip("`*\"'").strip()
    return bare[2:] if bare.startswith("./") else bare


def looks_like_path(text: str) -> bool:
    """Whether a word is a path, and not a dotted name, a version or an address."""
    if not _PATH.match(text) or "//" in text or text.startswith(("http:", "https:")):
        return False
    return "/" in text or bool(_BARE.match(text))


def mentions(blocks: Iterable[Block], roles: dict[int, Role | None]) -> tuple[Mention, ...]:
    """Every path below every heading, each once per section; `roles` gives the role of a heading by its line."""
    by_section: dict[tuple[str, str], Mention] = {}
    title, role = "", None
    for block in blocks:
        if isinstance(block, Heading):
            title, role = block.title, roles.get(block.line)
            continue
        for path, line in _paths(block):
            by_section.setdefault((title, path), Mention(path, title, role, line))
    return tuple(by_section.values())


def _from_item(item: Item) -> Iterator[PlannedFile]:
    names = [name for name in spans(item.text) if looks_like_path(clean(name))] or _IN_PROSE.findall(item.text)
    if names:
        # The first path is the subject; the rest of the item describes it.
        rest = re.sub(re.escape(names[0]), " ", item.text).replace("`", " ")
        # The word that says what happens is in front, or in brackets.
        front = re.findall(r"^\s*\**(\w+)", rest) or re.findall(r"\((\w+)", rest)[:1]
        candidates = front + re.findall(r"[(\[](\w+)", rest)
        written = next((word for word in candidates if _kind(word) != "unknown"), "")
        yield _file(clean(names[0]), written, plain(rest).strip(" :—–-"), item.line)


def _file(path: str, written: str, description: str, line: int) -> PlannedFile:
    folder = path.endswith("/") or "director" in written.lower() or "folder" in written.lower()
    return PlannedFile(path.rstrip("/") if folder else path, _kind(written), description, line, folder, written)


def _kind(written: str) -> ChangeKind:
    kinds = [kind for kind, names in _KINDS if not names.isdisjoint(words(written).split())]
    return kinds[0] if len(kinds) == 1 else "unknown"


def _paths(block: Block) -> Iterator[tuple[str, int]]:
    match block:
        case Table():
            for row in block.rows:
                yield from ((path, row.line) for text in row.cells for path in _named(text))
        case Item() | Text():
            for path in _named(block.text):
                yield path, block.line + block.text[: block.text.find(path)].count("\n")


def _named(text: str) -> list[str]:
    marked = [clean(span) for span in spans(text)]
    prose = _IN_PROSE.findall(re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", " ", text))
    return [path for path in dict.fromkeys([*marked, *prose]) if looks_like_path(path)]
