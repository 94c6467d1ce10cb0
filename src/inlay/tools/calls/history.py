"""`history`: what was written, newest first."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import schemas
from inlay.tools.arguments import ToolArguments, input_schema
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = "List the changes that were written to this project, newest first, with the numbers that undo takes."
_DEFAULT = 20


class Arguments(ToolArguments, frozen=True):
    most: Annotated[int, Meta(ge=1, le=1000, description=f"How many; {_DEFAULT} when omitted.")] = _DEFAULT


def run(call: Call) -> dict[str, Any]:
    from inlay.render.receipt import receipt_brief

    receipts = call.workspace.history(call.arguments.most)
    return {"kind": "history", "changes": [receipt_brief(receipt) for receipt in receipts]}


TOOL = Tool(
    name="history",
    title="List changes",
    description=DESCRIPTION,
    input_schema=input_schema(Arguments),
    output_schema=schemas.result(("history",), changes={"type": "array", "items": {"type": "object"}}),
    annotations=Annotations(read_only=True, idempotent=True),
    run=run,
    example='{"most": 5}',
)
