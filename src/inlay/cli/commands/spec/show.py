"""`inlay spec show`: a design document as it was parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.input import read_documents
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.implement.spec.document import Spec
    from inlay.implement.spec.traceability import Traced

_SIGNS = {"add": ("+", "green"), "modify": ("~", "yellow"), "delete": ("-", "red"), "unknown": ("?", "magenta")}


@click.command("show")
@options.DOCUMENTS
@options.ROOT
@options.JSON
def command(documents: tuple[str, ...], root: str, as_json: bool) -> None:
    """Show design documents as they were parsed: files, signatures, requirements with their tests, risks.

    \b
    Examples:
      inlay spec show design.md
      inlay spec show design.md --json | jq -r '.documents[].files[].path'
    """
    specs = read_documents(documents, root, quiet=as_json)
    if as_json:
        say_json({"documents": [_as_json(spec) for spec in specs]})
        return
    paint = Painter()
    for spec in specs:
        say("\n".join(_lines(spec, paint)))


def _lines(spec: Spec, paint: Painter) -> Iterator[str]:
    from inlay.implement.spec.traceability import trace

    yield f"{paint(spec.name, bold=True)}: {paint(spec.title)}"
    if spec.objective:
        yield f"  {paint(spec.objective)}"
    files = [
        f"{paint(*_SIGNS[f.change])} {paint(f.path)}{'/' if f.directory else ''}  {paint(f.description, dim=True)}"
        for f in spec.files
    ]
    yield from _part("Files", files, paint)
    signatures = [f"{paint(s.name)} {paint(f'{s.kind} {s.file}'.strip(), dim=True)}" for s in spec.signatures]
    yield from _part("Signatures", signatures, paint)
    yield from _part("Requirements", [_requirement(traced, paint) for traced in trace(spec)], paint)
    by_hand = f" {paint('by hand', 'yellow')}"
    tests = [f"{paint(t.id)}  {paint(t.name or t.scenario)}{by_hand if t.manual else ''}" for t in spec.tests]
    yield from _part("Tests", tests, paint)
    yield from _part("Test files", [paint(path) for path in spec.test_files], paint)
    coverage = f"{spec.plan.coverage:g}%" if spec.plan.coverage else None
    plan = {"command": spec.plan.command, "folder": spec.plan.cwd, "seconds": spec.plan.timeout, "coverage": coverage}
    yield from _part("Test run", [f"{name}: {paint(str(value))}" for name, value in plan.items() if value], paint)
    yield from _part("Risks", [f"{paint(risk.text)} → {paint(risk.mitigation)}" for risk in spec.risks], paint)
    yield from _part("Open questions", [paint(question.text) for question in spec.open_questions], paint)
    sections = [f"{role}: {paint(title)} {paint(f'line {line}', dim=True)}" for role, title, line in spec.sections]
    yield from _part("Sections", sections, paint)


def _part(title: str, lines: list[str], paint: Painter) -> Iterator[str]:
    if lines:
        yield f"{paint(title, 'cyan')} ({len(lines)})"
        yield from (f"  {line}" for line in lines)


def _requirement(traced: Traced, paint: Painter) -> str:
    tests = " ".join(test.id or test.name for test in traced.tests)
    origin = f"← {tests}{'' if traced.said else ' (by words)'}" if tests else "← no test"
    colour = "green" if tests else "red"
    return f"{paint(traced.requirement.id)}  {paint(traced.requirement.text)} {paint(origin, colour)}"


def _as_json(spec: Spec) -> dict[str, Any]:
    from inlay.implement.spec.traceability import trace

    omitted = ("text", "name", "sections", "mentions")
    fields = {name: value for name, value in asdict(spec).items() if name not in omitted}
    traced = [
        {"id": link.requirement.id, "tests": [test.id or test.name for test in link.tests], "said": link.said}
        for link in trace(spec)
    ]
    sections = [{"role": role, "title": title, "line": line} for role, title, line in spec.sections]
    return {"path": spec.name, "digest": spec.digest, **fields, "traced": traced, "sections": sections}
