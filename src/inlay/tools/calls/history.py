"""`history`: what was written, newest first."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import schemas
from inlay.tools.arguments import ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = "List the changes that were written to this project, newest first, with the numbers that undo takes."
_DEFAULT = 20


class Arguments(ToolArguments, frozen=True):
    most: Annotated[int, Meta(ge=1, le=1000, description=f"How many; {_DEFAULT} when omitted.")] = _DEFAULT


@tool(
    "List changes",
    DESCRIPTION,
    Arguments,
    output=schemas.result(("history",), changes={"type": "array", "items": {"type": "object"}}),
    example='{"most": 5}',
    read_only=True,
)
def history(call: Call) -> dict[str, Any]:
    from inlay.render.receipt import receipt_brief

    receipts = call.workspace.history(call.arguments.most)
    return {"kind": "history", "changes": [receipt_brief(receipt) for receipt in receipts]}
