"""Waits for a person to decide about the change that is next to be written."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from langgraph.types import interrupt

from inlay.implement.workflow.land_piece import rehearse
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped
from inlay.landing.decisions_json import read_decisions
from inlay.model.change import ChangeSet
from inlay.render.need import need_question


async def approve(state: State, job: Job) -> dict[str, Any]:
    """Interrupt once. The answer is `{"decisions": […]}`, as described in docs/approval.md."""
    error = await asyncio.to_thread(rehearse, state["proposed"][0], state, job)
    if error is None:
        return {"asked": []}
    assert isinstance(error.changes, ChangeSet)
    changes = {change.path: change for change in error.changes.changes}
    answer = interrupt({"files": [need_question(need, changes[need.path]) for need in error.needs]})
    try:
        text = json.dumps(answer)
        given = read_decisions(text)
    except (ValueError, TypeError) as problem:
        job.tell(state, "note", "approve", f"the answer cannot be read, asking again: {problem}", ok=False)
        return {"asked": state["asked"]}
    if any(decision.verdict == "abort" for decision in given.decisions):
        return stopped(f"the change was rejected: {', '.join(state['asked'])}", 4)
    return {"decisions": job.folder(state).put(text), "asked": []}
