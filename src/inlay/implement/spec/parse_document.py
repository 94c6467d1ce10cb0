"""Parses design documents in Markdown into a Spec; what cannot be parsed becomes a remark, never an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from inlay.implement.spec import markdown, roles
from inlay.implement.spec.document import DoneItem, PlannedFile, Remark, Risk, Role, Signature, Spec, TestPlan
from inlay.implement.spec.file_entries import mentions, read_files
from inlay.implement.spec.markdown import Block, CodeBlock, Heading, Item, Table, cell, column, plain, spans, words
from inlay.implement.spec.planned_tests import files_of_tests, read_requirements, read_tests
from inlay.implement.spec.roles import Section
from inlay.implement.spec.signatures import read_signatures

_MITIGATION = ("mitigation", "mitigations", "response", "what we do")
_RISK = ("risk", "risks", "concern", "what may happen")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?)?\b")


def parse(text: str, name: str = "", headings: Mapping[str, object] | None = None) -> Spec:
    """`headings` maps roles to the titles that the project uses."""
    whole = markdown.normal(text)
    blocks = markdown.blocks(whole)
    values = dict(reversed(list(markdown.keyed(blocks))))  # the first of a key counts
    sections = roles.find(blocks, headings)
    within = {role: section.blocks for role, section in sections.items()}
    files, unread = read_files(sections["files"]) if "files" in sections else ((), ())
    by_line: dict[int, Role | None] = {}
    for role, section in sections.items():
        headings_inside = [block.line for block in section.blocks if isinstance(block, Heading)]
        by_line |= dict.fromkeys([section.heading.line, *headings_inside], role)
    goal = [block for block in within.get("objective", ()) if not isinstance(block, (Heading, Table, CodeBlock))]
    done = [block for block in within.get("done", ()) if isinstance(block, Item)]
    requirements = read_requirements(within.get("requirements", ()))
    tests, doubtful = read_tests(within.get("tests", ()), requirements)
    message = "this code fence is never closed, so everything below it was taken for code"
    advice = "Close it, or give the outer fence more backticks than the one inside."
    fences = [block for block in blocks if isinstance(block, CodeBlock) and not block.closed]
    unclosed = [Remark("open-fence", "warning", message, fence.line - 1, advice) for fence in fences]
    return Spec(
        name=name,
        text=whole,
        title=next((block.title for block in blocks if isinstance(block, Heading)), ""),
        objective=plain(values.get("objective", "")) or next((plain(block.text) for block in goal), ""),
        status=plain(values.get("status", "")),
        files=files,
        signatures=_placed(read_signatures((*within.get("structures", ()), *within.get("signatures", ()))), files),
        flow=_source(whole, sections.get("flow")),
        requirements=requirements,
        tests=tests,
        test_files=files_of_tests(files, within.get("tests", ()), bool(tests)),
        plan=_plan(values),
        risks=_risks(within.get("risks", ())),
        done=tuple(DoneItem(item.text, bool(item.checked), item.line) for item in done),
        open_questions=_questions(blocks),
        mentions=mentions(blocks, by_line),
        sections=tuple((role, section.heading.title, section.heading.line) for role, section in sections.items()),
        remarks=(*unread, *doubtful, *unclosed),
    )


def _placed(signatures: tuple[Signature, ...], files: tuple[PlannedFile, ...]) -> tuple[Signature, ...]:
    """Each with the whole path of its file: the one that ends so, or the only file of code there is."""
    code = [file.path for file in files if not file.is_test and not file.directory and file.change != "delete"]

    def place(named: str) -> str:
        fitting = [path for path in code if path == named or path.endswith(f"/{named}")] if named else code
        return fitting[0] if len(fitting) == 1 else named

    return tuple(replace(signature, file=place(signature.file)) for signature in signatures)


def _source(whole: str, section: Section | None) -> str:
    """A section as written, so that the model misses nothing."""
    if section is None or not section.blocks:
        return ""
    lines = whole.split("\n")
    start, last = section.heading.line, section.blocks[-1]
    end = last.line + len(last.lines) if isinstance(last, CodeBlock) else last.line
    end = max(end, *(row.line for row in last.rows)) if isinstance(last, Table) and last.rows else end
    return "\n".join(lines[start:end]).strip("\n")


def _plan(values: Mapping[str, str]) -> TestPlan:
    command = values.get("test command", "")
    percent = _PERCENT.search(values.get("coverage target", "") or values.get("coverage", ""))
    directory = values.get("test directory") or values.get("working directory")
    time = _SECONDS.search(plain(values.get("test timeout", "")))
    return TestPlan(
        command=(spans(command) or [plain(command)])[0] or None,
        cwd=plain(directory) if directory else None,
        timeout=float(time[1]) * (60 if (time[2] or "s").startswith("m") else 1) if time else None,
        coverage=float(percent[1]) if percent else None,
    )


def _risks(inside: tuple[Block, ...]) -> tuple[Risk, ...]:
    tables = [block for block in inside if isinstance(block, Table) and column(block, _MITIGATION) is not None]
    if tables:
        return tuple(
            Risk(plain(cell(table, row, _RISK) or row.cells[0]), cell(table, row, _MITIGATION), row.line)
            for table in tables
            for row in table.rows
            if any(row.cells)
        )
    risks = []
    for item in (block for block in inside if isinstance(block, Item)):
        # In a list the mitigation often follows an arrow or a semicolon.
        text, _, mitigation = item.text.replace("→", ";").partition(";")
        risks.append(Risk(plain(text), mitigation.strip() or item.text, item.line))
    return tuple(risks)


def _questions(blocks: tuple[Block, ...]) -> tuple[DoneItem, ...]:
    """Unchecked items below a heading for open questions."""
    asked, inside = list[DoneItem](), False
    for block in blocks:
        if isinstance(block, Heading):
            inside = words(block.title).startswith("open question")
        elif inside and isinstance(block, Item) and block.checked is False:
            asked.append(DoneItem(plain(block.text), False, block.line))
    return tuple(asked)
