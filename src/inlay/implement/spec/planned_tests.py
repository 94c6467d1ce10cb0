"""The test plan: its rows, the requirements that each row shows, and the test files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from inlay.implement.spec.document import PlannedFile, PlannedTest, Remark, Requirement, is_test_file
from inlay.implement.spec.file_entries import clean
from inlay.implement.spec.markdown import Block, CodeBlock, Heading, Item, Row, Table, Text, cell, column, plain, spans

_ID = ("test id", "id", "test", "no", "nr", "#")
_NAME = ("test description", "test name", "test function", "function", "name", "pytest", "test")
_SCENARIO = ("scenario", "description", "test description", "case", "what")
_GIVEN = ("input", "given", "steps", "setup")
_EXPECTED = ("expected behavior", "expected behaviour", "expected output", "expected", "expected result", "then")
_CRITERIA = ("pass criteria", "criteria", "notes")
_FILE = ("test file", "file", "location")
REQUIREMENT = ("requirement", "requirements", "req", "reqs", "requirement id", "covers", "satisfies", "verifies")
TESTS = ("tests", "test ids", "covered by", "verified by", "shown by", "test", "test id")

_TEST = re.compile(r"\b(?:test_\w+|Test[A-Z]\w*)")
_NODE = re.compile(r"([\w./-]+\.\w+)::([\w:]+)")
_REFERENCE = re.compile(r"\b(?:REQ|FR|NFR|R|requirement)s?[-\s#]?0*(\d+)\b", re.IGNORECASE)
_RANGE = re.compile(r"^(\D*)(\d+)\s*(?:-|–|to|\.\.)\s*\D*(\d+)$")
_PATH = re.compile(r"[\w./@+-]+\.\w{1,5}\b")
_LEADING = re.compile(r"\s*\**\s*((?:REQ|FR|NFR|R|AC)[-\s]?\d+(?:\.\d+)*)\**\s*[:.)–—-]?\s*\**\s*(.*)$")


def read_requirements(blocks: Iterable[Block]) -> tuple[Requirement, ...]:
    """Every requirement, from a table with ids or from the outermost items of a list."""
    blocks = list(blocks)
    rows = [requirement for block in blocks if isinstance(block, Table) for requirement in _required_rows(block)]
    items = [block for block in blocks if isinstance(block, Item)]
    depth = min((item.depth for item in items), default=0)
    outermost = [item for item in items if item.depth == depth]
    numbered = [item for item in outermost if item.number] or outermost
    for at, item in enumerate(numbered if not rows else (), 1):
        text = plain(item.text)
        lead = _LEADING.match(text)
        id, text = (lead[1], lead[2]) if lead else (item.number or str(at), text)
        rows.append(Requirement(id, text, item.line))
    return tuple(rows)


def read_tests(
    blocks: Iterable[Block], requirements: tuple[Requirement, ...]
) -> tuple[tuple[PlannedTest, ...], tuple[Remark, ...]]:
    """Every test of the plan in its order; rows of several tables with the same number are one test."""
    found: dict[str, PlannedTest] = {}
    remarks: list[Remark] = []
    shown: dict[str, tuple[str, ...]] = {}
    manual = False
    for block in blocks:
        if isinstance(block, Heading):
            manual = "manual" in block.title.lower()
        # A table that says which tests show which requirement, and nothing about the tests themselves.
        elif isinstance(block, Table) and column(block, REQUIREMENT) == 0 and column(block, TESTS) is not None:
            shown |= _mapped(block, requirements)
        elif isinstance(block, Table):
            remarks += _unknown(block, requirements)
            seen: dict[str, int] = {}
            is_plan = column(block, _ID) is not None or column(block, _NAME) is not None
            tests = [_row(block, row, manual, requirements) for row in block.rows if is_plan]
            for test in (test for test in tests if test.id or test.name):
                key = number(test.id) or test.name
                found[key] = _joined(found[key], test) if key in found else test
                if seen.setdefault(key, test.line) != test.line:
                    message = f"test {test.id or test.name} is listed twice, first on line {seen[key]}"
                    advice = "Give each test a number of its own."
                    remarks.append(Remark("duplicate-test", "warning", message, test.line, advice))
    for key, test in found.items():
        more = shown.get(number(test.id), ()) + shown.get(number(test.name), ())
        found[key] = replace(test, requirements=tuple(dict.fromkeys(test.requirements + more)))
    return tuple(found.values()), tuple(remarks)


def _unknown(table: Table, requirements: tuple[Requirement, ...]) -> Iterator[Remark]:
    """Requirements that a row names and the document does not have."""
    keys = {_key(requirement.id) for requirement in requirements}
    for row in table.rows if keys else ():
        for word in _expanded(plain(cell(table, row, REQUIREMENT))):
            if any(letter.isdigit() for letter in word) and len(word) < 12 and _key(word) not in keys:
                yield Remark("unknown-requirement", "warning", f"there is no requirement {word}", row.line)


def files_of_tests(files: tuple[PlannedFile, ...], blocks: Iterable[Block], planned: bool) -> tuple[str, ...]:
    """The test files: listed, named in the plan, or, where neither is, by convention."""
    listed = [file.path for file in files if is_test_file(file.path) and file.change != "delete"]
    named = [path for block in blocks for text in _texts(block) for path in _files(text)]
    code = [file.path for file in files if planned and not file.directory and file.change != "delete"]
    return tuple(dict.fromkeys([*listed, *named] or filter(None, map(conventional, code))))


def conventional(path: str) -> str:
    """The test file that a file of code usually has; empty for what has none."""
    folder, name = posixpath.split(path)
    stem, ending = posixpath.splitext(name)
    if ending == ".py":
        return "" if stem.startswith("__") else f"tests/test_{stem}.py"
    if ending == ".go":
        return posixpath.join(folder, f"{stem}_test.go")
    return posixpath.join(folder, f"{stem}.test{ending}") if ending in (".ts", ".tsx", ".js", ".jsx", ".mjs") else ""


def number(id: str) -> str:
    """What makes two ids the same: "T010" and "010" are."""
    bare = re.sub(r"[^a-z0-9]", "", plain(id).lower())
    match = re.fullmatch(r"(?:test|tc|ts|t|s)?0*(\d+)", bare)
    return match[1] if match else bare


def references(text: str, requirements: tuple[Requirement, ...], *, bare: bool) -> tuple[str, ...]:
    """The ids of requirements that a text names; a bare number counts only where nothing else is expected."""
    by_key = {_key(requirement.id): requirement.id for requirement in requirements}
    keys = [_key(word) for word in _expanded(plain(text))] if bare else []
    keys += _REFERENCE.findall(plain(text))
    return tuple(dict.fromkeys(by_key[key] for key in keys if key in by_key))


def _key(id: str) -> str:
    match = re.fullmatch(r"\s*(?:req|fr|r|requirement|ac)?[-\s#]?0*(\d+(?:\.\d+)*)\s*", id.lower())
    return match[1] if match else id.strip().lower()


def _expanded(text: str) -> Iterator[str]:
    for part in re.split(r"[,;/&]|\band\b", text):
        if match := _RANGE.match(part.strip()):
            yield from (f"{match[1]}{at}" for at in range(int(match[2]), min(int(match[3]), int(match[2]) + 99) + 1))
        else:
            yield part.strip()


def _required_rows(table: Table) -> Iterator[Requirement]:
    at = column(table, ("id", "#", "no", "nr", "req", "requirement id"))
    for row in table.rows if at is not None else ():
        others = [text for place, text in enumerate(row.cells) if place != at]
        text = cell(table, row, ("requirement", "description", "text", "must be true")) or next(iter(others), "")
        if row.cells[at or 0]:
            yield Requirement(plain(row.cells[at or 0]), plain(text), row.line)


def _mapped(table: Table, requirements: tuple[Requirement, ...]) -> dict[str, tuple[str, ...]]:
    shown: dict[str, tuple[str, ...]] = {}
    for row in table.rows:
        named = references(plain(cell(table, row, REQUIREMENT)).split(":")[0], requirements, bare=True)
        for test in _expanded(plain(cell(table, row, TESTS))):
            shown[number(test)] = shown.get(number(test), ()) + named
    return shown


def _row(table: Table, row: Row, manual: bool, requirements: tuple[Requirement, ...]) -> PlannedTest:
    everything = " ".join(row.cells)
    node = _NODE.search(everything)
    function = _TEST.search(cell(table, row, _NAME)) or _TEST.search(everything)
    scenario = plain(cell(table, row, _SCENARIO))
    named = references(cell(table, row, REQUIREMENT), requirements, bare=True)
    return PlannedTest(
        id=plain(cell(table, row, _ID)),
        name=node[2].split("::")[-1] if node else function[0] if function else "",
        scenario="" if _TEST.fullmatch(scenario) else scenario,
        given=plain(cell(table, row, _GIVEN)),
        expected=" ".join(filter(None, (plain(cell(table, row, _EXPECTED)), plain(cell(table, row, _CRITERIA))))),
        file=clean(node[1]) if node else next(iter(_files(cell(table, row, _FILE))), ""),
        requirements=tuple(dict.fromkeys(named + references(everything, requirements, bare=False))),
        manual=manual or "manual" in plain(cell(table, row, ("type",))).lower(),
        line=row.line,
    )


def _joined(first: PlannedTest, second: PlannedTest) -> PlannedTest:
    return replace(
        first,
        name=first.name or second.name,
        scenario=first.scenario or second.scenario,
        given=first.given or second.given,
        expected=" ".join(filter(None, (first.expected, second.expected))),
        file=first.file or second.file,
        requirements=tuple(dict.fromkeys(first.requirements + second.requirements)),
    )


def _texts(block: Block) -> Iterable[str]:
    match block:
        case CodeBlock():
            return block.lines
        case Table():
            return (text for row in block.rows for text in row.cells)
        case Item() | Text():
            return spans(block.text)
        case Heading():
            return ()


def _files(text: str) -> list[str]:
    return [clean(path) for path in _PATH.findall(text) if is_test_file(clean(path))]
