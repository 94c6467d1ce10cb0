"""Stops at a document that is not ready to be implemented."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.implement.gate import check_document as gates
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped

_MOST_SHOWN = 3


async def gate(state: State, job: Job) -> dict[str, Any]:
    """Judge the document without a model; warnings are for the report."""
    remarks = await asyncio.to_thread(gates.check, job.spec(state), job.workspace)
    errors = [remark for remark in remarks if remark.severity == "error"]
    warnings = [f"line {remark.line}: {remark.message}" for remark in remarks if remark.severity == "warning"]
    if errors:
        shown = "; ".join(f"line {each.line}: {each.message}" for each in errors[:_MOST_SHOWN])
        more = f" and {len(errors) - _MOST_SHOWN} more" if len(errors) > _MOST_SHOWN else ""
        job.tell(state, "step", "gate", f"{len(errors)} errors in the document", ok=False)
        advice = f"`inlay spec check {state['document']}` tells all"
        return {"notes": warnings} | stopped(f"the document is not ready: {shown}{more}; {advice}")
    job.tell(state, "step", "gate", "the document holds" + (f", {len(warnings)} warnings" if warnings else ""))
    return {"notes": warnings}
