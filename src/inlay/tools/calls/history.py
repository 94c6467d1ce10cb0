"""`history`: what was written, newest first."""

from __future__ import annotations

from typing import Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = "List the changes that were written to this project, newest first, with the numbers that undo takes."
_MOST = 20


def run(call: Call) -> dict[str, Any]:
    """The newest receipts."""
    from inlay.render.receipt import receipt_brief

    receipts = call.workspace.history(call.arguments.get("most", _MOST))
    return {"kind": "history", "changes": [receipt_brief(receipt) for receipt in receipts]}


TOOL = Tool(
    name="history",
    title="List changes",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        most={"type": "integer", "minimum": 1, "maximum": 1000, "description": f"How many; {_MOST} when left out."}
    ),
    output_schema=schemas.result(("history",), changes={"type": "array", "items": {"type": "object"}}),
    annotations=Annotations(read_only=True, idempotent=True),
    run=run,
    example='{"most": 5}',
)
