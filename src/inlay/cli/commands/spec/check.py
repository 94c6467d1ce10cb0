"""`inlay spec check`: everything about a design document that can be checked without a model."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from inlay.cli import document_input as reading
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.sarif import Problem, as_sarif
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.implement.gate.check_document import blocked, check
from inlay.implement.spec.document import Remark, Spec
from inlay.storage import Workspace

_BLOCKED = 1
_COLOURS = {"error": "red", "warning": "yellow"}


@click.command("check")
@reading.ARGUMENT
@ROOT
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif"]), help="Output format.")
@click.option("-q", "--quiet", is_flag=True, help="Report errors only, no warnings.")
@replies.JSON
@click.pass_context
def command(
    context: click.Context, documents: tuple[str, ...], root: str, format_: str | None, quiet: bool, as_json: bool
) -> None:
    """Check design documents against the project: files, parents, requirements, tests, risks.

    No model is asked and nothing is written. All findings are told at once, each with its line. DOC may be a folder,
    whose Markdown files are meant, or - for standard input. docs/design-documents.md explains every rule.

    \b
    Examples:
      inlay spec check docs/retries.md
      inlay spec check designs/ --format sarif > spec.sarif
      inlay spec check -C ../shop design.md --json | jq '.documents[].findings'

    Exits with 0 when no document has an error, 1 when one is blocked.
    """
    telling = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if telling == "json" else "person"
    workspace = Workspace(root)
    specs = reading.read_all(documents, root, quiet=telling != "text")
    found = [(spec, _kept(check(spec, workspace), quiet)) for spec in specs]
    _PRINTERS[telling](found)
    if any(blocked(remarks) for _, remarks in found):
        context.exit(_BLOCKED)


_Found = list[tuple[Spec, tuple[Remark, ...]]]


def _kept(remarks: tuple[Remark, ...], quiet: bool) -> tuple[Remark, ...]:
    return tuple(remark for remark in remarks if remark.severity == "error" or not quiet)


def _print_text(found: _Found) -> None:
    paint = Painter(sys.stdout)
    for spec, remarks in found:
        state = paint("blocked", "red", bold=True) if blocked(remarks) else paint("passes", "green", bold=True)
        say(f"{paint(spec.name, bold=True)}: {state}{_counted(remarks)}")
        for remark in remarks:
            say("\n".join(_lines(remark, paint)))


def _counted(remarks: tuple[Remark, ...]) -> str:
    errors = sum(remark.severity == "error" for remark in remarks)
    counts = [(errors, "error"), (len(remarks) - errors, "warning")]
    told = [f"{count} {name}{'s' if count != 1 else ''}" for count, name in counts if count]
    return f" with {' and '.join(told)}" if told else ""


def _lines(remark: Remark, paint: Painter) -> list[str]:
    place = f"{remark.line:>5}" if remark.line else "    –"
    severity = paint(f"{remark.severity:<7}", _COLOURS[remark.severity])
    head = f"{place}  {severity}  {paint(remark.message)} {paint(f'[{remark.rule}]', dim=True)}"
    return [head, *([f"                → {paint(remark.advice)}"] if remark.advice else [])]


def _print_json(found: _Found) -> None:
    told = [_as_json(spec, remarks) for spec, remarks in found]
    click.echo(json.dumps({"blocked": sum(each["status"] == "blocked" for each in told), "documents": told}))


def _as_json(spec: Spec, remarks: tuple[Remark, ...]) -> dict[str, Any]:
    return {
        "path": spec.name,
        "title": spec.title,
        "digest": spec.digest,
        "status": "blocked" if blocked(remarks) else "passed",
        "findings": [asdict(remark) for remark in remarks],
    }


def _print_sarif(found: _Found) -> None:
    problems = [
        Problem(remark.rule, remark.severity, remark.message, spec.name, remark.line, remark.advice)
        for spec, remarks in found
        for remark in remarks
    ]
    click.echo(json.dumps(as_sarif("inlay spec check", problems), indent=2))


_PRINTERS = {"text": _print_text, "json": _print_json, "sarif": _print_sarif}
