"""`undo`: undo a change."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import schemas
from inlay.tools.arguments import ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Undo a change that these tools made: the last one, or the one with the number `id`. Every file is restored byte for
byte, except lines that were changed since. If those are lines of the change itself, nothing is written. An undo is a
change itself and can be undone.
"""


class Arguments(ToolArguments, frozen=True):
    id: Annotated[str, Meta(min_length=1, max_length=20, description="Number of the change.")] | None = None


@tool(
    "Undo a change",
    DESCRIPTION,
    Arguments,
    output=schemas.result(("undone",), change={"type": "object", "description": "The change that undid it."}),
    example='{"id": "12"}',
)
def undo(call: Call) -> dict[str, Any]:
    from inlay.render.receipt import receipt_brief

    call.report("writing")
    receipt = call.workspace.undo(call.arguments.id)
    call.read_texts.forget(*(path for file in receipt.files for path in (file.path, file.source) if path))
    message = " ".join(
        (f"Change {receipt.reverses} was undone. This is change {receipt.id}.", *(f"{note}." for note in receipt.notes))
    )
    return {"kind": "undone", "message": message, "change": receipt_brief(receipt)}
