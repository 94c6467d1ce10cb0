"""`inlay spec check`: everything about a design document that can be checked without a model."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.input import read_documents
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.implement.spec.document import Remark, Spec

    _Checked = list[tuple[Spec, tuple[Remark, ...]]]

_COLOURS = {"error": "red", "warning": "yellow"}


@click.command("check")
@options.DOCUMENTS
@options.ROOT
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif"]), help="Output format.")
@click.option("-q", "--quiet", is_flag=True, help="Report errors only, no warnings.")
@options.JSON
@click.pass_context
def command(
    context: click.Context, documents: tuple[str, ...], root: str, format_: str | None, quiet: bool, as_json: bool
) -> None:
    """Check design documents against the project: files, parents, requirements, tests, risks.

    No model is asked and nothing is written. All findings are reported at once, each with its line. DOC may be a
    folder, meaning its Markdown files, or - for standard input. docs/design-documents.md explains every rule.

    \b
    Examples:
      inlay spec check docs/retries.md
      inlay spec check designs/ --format sarif > spec.sarif
      inlay spec check -C ../shop design.md --json | jq '.documents[].findings'

    Exit codes: 0 no document has an error; 1 a document is blocked.
    """
    from inlay.implement.gate.check_document import blocked, check
    from inlay.storage import Workspace

    output_format = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if output_format == "json" else "person"
    workspace = Workspace(root)
    checked = [
        (spec, tuple(remark for remark in check(spec, workspace) if remark.severity == "error" or not quiet))
        for spec in read_documents(documents, root, quiet=output_format != "text")
    ]
    _PRINTERS[output_format](checked)
    if any(blocked(remarks) for _, remarks in checked):
        context.exit(1)


def _print_text(checked: _Checked) -> None:
    from inlay.implement.gate.check_document import blocked

    paint = Painter()
    for spec, remarks in checked:
        state = paint("blocked", "red", bold=True) if blocked(remarks) else paint("passes", "green", bold=True)
        errors = sum(remark.severity == "error" for remark in remarks)
        counts = [(errors, "error"), (len(remarks) - errors, "warning")]
        phrases = [f"{count} {name}{'s' if count != 1 else ''}" for count, name in counts if count]
        say(f"{paint(spec.name, bold=True)}: {state}{' with ' if phrases else ''}{' and '.join(phrases)}")
        for remark in remarks:
            place = f"{remark.line:>5}" if remark.line else "    –"
            severity = paint(f"{remark.severity:<7}", _COLOURS[remark.severity])
            say(f"{place}  {severity}  {paint(remark.message)} {paint(f'[{remark.rule}]', dim=True)}")
            if remark.advice:
                say(f"                → {paint(remark.advice)}")


def _print_json(checked: _Checked) -> None:
    from inlay.implement.gate.check_document import blocked

    documents: list[dict[str, Any]] = [
        {
            "path": spec.name,
            "title": spec.title,
            "digest": spec.digest,
            "status": "blocked" if blocked(remarks) else "passed",
            "findings": [asdict(remark) for remark in remarks],
        }
        for spec, remarks in checked
    ]
    count = sum(document["status"] == "blocked" for document in documents)
    say_json({"blocked": count, "documents": documents})


def _print_sarif(checked: _Checked) -> None:
    from inlay.cli.output.sarif import Problem, as_sarif

    problems = [
        Problem(remark.rule, remark.severity, remark.message, spec.name, remark.line, remark.advice)
        for spec, remarks in checked
        for remark in remarks
    ]
    click.echo(json.dumps(as_sarif("inlay spec check", problems), indent=2))


_PRINTERS = {"text": _print_text, "json": _print_json, "sarif": _print_sarif}
