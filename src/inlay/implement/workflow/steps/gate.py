"""Stops at a document that is not ready to be implemented."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.implement.gate import check_document as gates
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped

_MAX_SHOWN = 3


async def gate(state: State, job: Job) -> dict[str, Any]:
    """Check the document without a model; warnings go into the report."""
    remarks = await asyncio.to_thread(gates.check, job.spec(state), job.workspace)
    errors = [remark for remark in remarks if remark.severity == "error"]
    warnings = [f"line {remark.line}: {remark.message}" for remark in remarks if remark.severity == "warning"]
    if errors:
        shown = "; ".join(f"line {each.line}: {each.message}" for each in errors[:_MAX_SHOWN])
        more = f" and {len(errors) - _MAX_SHOWN} more" if len(errors) > _MAX_SHOWN else ""
        job.tell(state, "step", "gate", f"{len(errors)} errors in the document", ok=False)
        advice = f"`inlay spec check {state['document']}` lists them"
        return {"notes": warnings} | stopped(f"the document is not ready: {shown}{more}; {advice}")
    job.tell(state, "step", "gate", "the document is ready" + (f", {len(warnings)} warnings" if warnings else ""))
    return {"notes": warnings}
