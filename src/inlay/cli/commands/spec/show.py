"""`inlay spec show`: how a design document was parsed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from inlay.cli import document_input as reading
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.implement.spec.document import PlannedFile, PlannedTest, Spec
from inlay.implement.spec.traceability import Traced, trace

_SIGNS = {"add": ("+", "green"), "modify": ("~", "yellow"), "delete": ("-", "red"), "unknown": ("?", "magenta")}


@click.command("show")
@reading.ARGUMENT
@ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, documents: tuple[str, ...], root: str, as_json: bool) -> None:
    """Show how design documents were parsed: files, signatures, requirements with their tests, risks.

    \b
    Examples:
      inlay spec show design.md
      inlay spec show design.md --json | jq -r '.documents[].files[].path'
    """
    reporting.audience = "program" if as_json else "person"
    specs = reading.read_all(documents, root, quiet=as_json)
    if as_json:
        click.echo(json.dumps({"documents": [_as_json(spec) for spec in specs]}))
        return
    paint = Painter(sys.stdout)
    for spec in specs:
        say("\n".join(_lines(spec, paint)))


def _lines(spec: Spec, paint: Painter) -> Iterator[str]:
    yield f"{paint(spec.name, bold=True)}: {paint(spec.title)}"
    if spec.objective:
        yield f"  {paint(spec.objective)}"
    yield from _part("Files", [_file(file, paint) for file in spec.files], paint)
    names = [f"{paint(each.name)} {paint(f'{each.kind} {each.file}'.strip(), dim=True)}" for each in spec.signatures]
    yield from _part("Signatures", names, paint)
    yield from _part("Requirements", [_requirement(each, paint) for each in trace(spec)], paint)
    yield from _part("Tests", [_test(test, paint) for test in spec.tests], paint)
    yield from _part("Test files", [paint(path) for path in spec.test_files], paint)
    yield from _part("Test run", _run(spec, paint), paint)
    yield from _part("Risks", [f"{paint(risk.text)} → {paint(risk.mitigation)}" for risk in spec.risks], paint)
    yield from _part("Open questions", [paint(question.text) for question in spec.open_questions], paint)
    found = [f"{role}: {paint(title)} {paint(f'line {line}', dim=True)}" for role, title, line in spec.sections]
    yield from _part("Sections", found, paint)


def _part(title: str, lines: list[str], paint: Painter) -> Iterator[str]:
    if lines:
        yield f"{paint(title, 'cyan')} ({len(lines)})"
        yield from (f"  {line}" for line in lines)


def _file(file: PlannedFile, paint: Painter) -> str:
    sign, colour = _SIGNS[file.change]
    return (
        f"{paint(sign, colour)} {paint(file.path)}{'/' if file.directory else ''}  {paint(file.description, dim=True)}"
    )


def _requirement(each: Traced, paint: Painter) -> str:
    tests = " ".join(test.id or test.name for test in each.tests)
    shown = f"← {tests}{'' if each.said else ' (by words)'}" if tests else "← no test"
    return f"{paint(each.requirement.id)}  {paint(each.requirement.text)} {paint(shown, 'green' if tests else 'red')}"


def _test(test: PlannedTest, paint: Painter) -> str:
    manual = f" {paint('by hand', 'yellow')}" if test.manual else ""
    return f"{paint(test.id)}  {paint(test.name or test.scenario)}{manual}"


def _run(spec: Spec, paint: Painter) -> list[str]:
    plan = spec.plan
    said = {
        "command": plan.command,
        "folder": plan.cwd,
        "seconds": plan.timeout,
        "coverage": f"{plan.coverage:g}%" if plan.coverage else None,
    }
    return [f"{name}: {paint(str(value))}" for name, value in said.items() if value]


def _as_json(spec: Spec) -> dict[str, Any]:
    shown = {
        name: value for name, value in asdict(spec).items() if name not in ("text", "name", "sections", "mentions")
    }
    traced = [
        {"id": each.requirement.id, "tests": [test.id or test.name for test in each.tests], "said": each.said}
        for each in trace(spec)
    ]
    sections = [{"role": role, "title": title, "line": line} for role, title, line in spec.sections]
    return {"path": spec.name, "digest": spec.digest, **shown, "traced": traced, "sections": sections}
