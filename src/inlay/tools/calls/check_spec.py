"""`check_spec`: the checks of a design document that need no model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import commit_arguments, schemas
from inlay.tools.arguments import FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Check a design document against the project before it is implemented: files and their folders, requirements without a
test, signatures, risks, placeholders. Give `path` for a document of the project, or `text` for one that is not saved.
Returns all findings, each with its line; a document with an error is "blocked".
"""
_MOST = 60


class Arguments(ToolArguments, frozen=True):
    path: FilePath | None = None
    text: Annotated[str, Meta(min_length=1, description="The document itself, in Markdown.")] | None = None


@tool(
    "Check a design document",
    DESCRIPTION,
    Arguments,
    output=schemas.result(
        ("spec",),
        status={"enum": ["passed", "blocked"]},
        title=schemas.TEXT,
        findings={"type": "array", "items": {"type": "object"}},
        left_out={"type": "integer", "description": "Number of findings that are not shown."},
    ),
    example='{"path": "docs/design.md"}',
    read_only=True,
)
def check_spec(call: Call) -> dict[str, Any]:
    from inlay.errors import EditsRefused, Misfit
    from inlay.implement.gate.check_document import blocked, check
    from inlay.implement.spec.parse_document import parse
    from inlay.tools.results import existing_file

    text, name = call.arguments.text, call.arguments.path
    if (text is None) == (name is None):
        raise EditsRefused(Misfit("invalid-arguments", "give either `path` or `text`", "Give one of the two."))
    if text is None:
        path, file = existing_file(call, name)
        text, name = file.text, str(path)
    spec = parse(
        text, name or "(text)", commit_arguments.settings(str(call.workspace.root)).table("implement.headings")
    )
    remarks = check(spec, call.workspace)
    return {
        "kind": "spec",
        "status": "blocked" if blocked(remarks) else "passed",
        "title": spec.title,
        "findings": [asdict(remark) for remark in remarks[:_MOST]],
        "left_out": max(0, len(remarks) - _MOST),
    }
