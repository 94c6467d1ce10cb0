"""Design documents in Markdown: text in, a Spec out; what cannot be understood becomes a remark, never an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from inlay.implement.spec import roles as outline
from inlay.implement.spec.document import DoneItem, PlannedFile, Remark, Risk, Role, Signature, Spec, TestPlan
from inlay.implement.spec.file_entries import mentions, read_files
from inlay.implement.spec.markdown import Block, CodeBlock, Heading, Item, Table, blocks, normal, plain, spans
from inlay.implement.spec.planned_tests import files_of_tests, read_requirements, read_tests
from inlay.implement.spec.roles import Section
from inlay.implement.spec.signatures import read_signatures
from inlay.implement.spec.tables import cell, column, keyed

_MITIGATION = ("mitigation", "mitigations", "response", "what we do")
_RISK = ("risk", "risks", "concern", "what may happen")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?)?\b")


def parse(text: str, name: str = "", headings: Mapping[str, object] | None = None) -> Spec:
    """A document as it is understood; `headings` maps roles to the titles that the project uses."""
    whole = normal(text)
    found = blocks(whole)
    sections = outline.find(found, headings)
    within = {role: section.blocks for role, section in sections.items()}
    files, unread = read_files(sections["files"]) if "files" in sections else ((), ())
    requirements = read_requirements(within.get("requirements", ()))
    tests, doubtful = read_tests(within.get("tests", ()), requirements)
    return Spec(
        name=name,
        text=whole,
        title=_title(found),
        objective=_said(found, "objective") or _first_text(within.get("objective", ())),
        status=_said(found, "status"),
        files=files,
        signatures=_placed(read_signatures((*within.get("structures", ()), *within.get("signatures", ()))), files),
        flow=_source(whole, sections.get("flow")),
        requirements=requirements,
        tests=tests,
        test_files=files_of_tests(files, within.get("tests", ()), bool(tests)),
        plan=_plan(found),
        risks=_risks(within.get("risks", ())),
        done=_items(within.get("done", ())),
        open_questions=_questions(found),
        mentions=mentions(found, _roles_by_line(found, sections)),
        sections=tuple((role, section.heading.title, section.heading.line) for role, section in sections.items()),
        remarks=(*unread, *doubtful, *_unclosed(found)),
    )


def _placed(signatures: tuple[Signature, ...], files: tuple[PlannedFile, ...]) -> tuple[Signature, ...]:
    """Each with the whole path of its file: the one that ends so, or the only file of code there is."""
    code = [file.path for file in files if not file.is_test and not file.directory and file.change != "delete"]

    def place(named: str) -> str:
        fitting = [path for path in code if path == named or path.endswith(f"/{named}")] if named else code
        return fitting[0] if len(fitting) == 1 else named

    return tuple(replace(signature, file=place(signature.file)) for signature in signatures)


def _title(found: tuple[Block, ...]) -> str:
    first = next((block for block in found if isinstance(block, Heading)), None)
    return first.title if first else ""


def _said(found: tuple[Block, ...], key: str) -> str:
    return next((plain(value) for name, value, _ in keyed(found) if name == key), "")


def _first_text(inside: tuple[Block, ...]) -> str:
    texts = [plain(block.text) for block in inside if not isinstance(block, (Heading, Table, CodeBlock))]
    return texts[0] if texts else ""


def _source(whole: str, section: Section | None) -> str:
    """A section as it stands in the document: for a model, nothing is lost."""
    if section is None or not section.blocks:
        return ""
    lines = whole.split("\n")
    start, last = section.heading.line, section.blocks[-1]
    end = last.line + len(last.lines) if isinstance(last, CodeBlock) else last.line
    end = max(end, *(row.line for row in last.rows)) if isinstance(last, Table) and last.rows else end
    return "\n".join(lines[start:end]).strip("\n")


def _plan(found: tuple[Block, ...]) -> TestPlan:
    """How to run the tests, where the document says so in as many words."""
    said = {key: value for key, value, _ in reversed(list(keyed(found)))}
    command = said.get("test command", "")
    percent = _PERCENT.search(said.get("coverage target", "") or said.get("coverage", ""))
    return TestPlan(
        command=(spans(command) or [plain(command)])[0] or None,
        cwd=_plain(said.get("test directory") or said.get("working directory")),
        timeout=_seconds(said.get("test timeout", "")),
        coverage=float(percent[1]) if percent else None,
    )


def _plain(value: str | None) -> str | None:
    return plain(value) if value else None


def _seconds(text: str) -> float | None:
    found = _SECONDS.search(plain(text))
    if not found:
        return None
    return float(found[1]) * (60 if (found[2] or "s").startswith("m") else 1)


def _risks(inside: tuple[Block, ...]) -> tuple[Risk, ...]:
    tables = [block for block in inside if isinstance(block, Table) and column(block, _MITIGATION) is not None]
    if tables:
        return tuple(
            Risk(plain(cell(table, row, _RISK) or row.cells[0]), cell(table, row, _MITIGATION), row.line)
            for table in tables
            for row in table.rows
            if any(row.cells)
        )
    return tuple(_risk(block) for block in inside if isinstance(block, Item))


def _risk(item: Item) -> Risk:
    """A risk of a list; what is done about it often follows an arrow or a semicolon."""
    text, _, answer = item.text.replace("→", ";").partition(";")
    return Risk(plain(text), answer.strip() or item.text, item.line)


def _items(inside: tuple[Block, ...]) -> tuple[DoneItem, ...]:
    return tuple(DoneItem(block.text, bool(block.checked), block.line) for block in inside if isinstance(block, Item))


def _questions(found: tuple[Block, ...]) -> tuple[DoneItem, ...]:
    """Questions with an empty box below a heading that says they are open."""
    asked: list[DoneItem] = []
    inside = False
    for block in found:
        if isinstance(block, Heading):
            inside = outline.words(block.title).startswith("open question")
        elif inside and isinstance(block, Item) and block.checked is False:
            asked.append(DoneItem(plain(block.text), False, block.line))
    return tuple(asked)


def _roles_by_line(found: tuple[Block, ...], sections: Mapping[Role, Section]) -> dict[int, Role | None]:
    """Which role every heading's text plays: its own section's, or none."""
    roles: dict[int, Role | None] = {block.line: None for block in found if isinstance(block, Heading)}
    for role, section in sections.items():
        inside = [block.line for block in section.blocks if isinstance(block, Heading)]
        roles |= dict.fromkeys([section.heading.line, *inside], role)
    return roles


def _unclosed(found: tuple[Block, ...]) -> tuple[Remark, ...]:
    return tuple(
        Remark(
            "open-fence",
            "warning",
            "this code fence is never closed, so everything below it was taken for code",
            block.line - 1,
            "Close it, or give the outer fence more backticks than the one inside.",
        )
        for block in found
        if isinstance(block, CodeBlock) and not block.closed
    )
