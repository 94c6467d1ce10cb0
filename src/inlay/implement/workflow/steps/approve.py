"""Waits for a person to decide about the change that is next to be written."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from langgraph.types import interrupt

from inlay.errors import SafeFileWriteError
from inlay.implement.workflow.land_piece import rehearse
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped
from inlay.landing.decisions_json import read_decisions
from inlay.model.change import ChangeSet
from inlay.model.decision import Need
from inlay.render.need import need_question


async def approve(state: State, job: Job) -> dict[str, Any]:
    """Interrupt once. The answer is `{"decisions": […]}`, as docs/approval.md has it; whoever resumes hands it in."""
    error = await asyncio.to_thread(rehearse, state["proposed"][0], state, job)
    if error is None:
        return {"asked": []}
    answer = interrupt(question(error))
    try:
        told = json.dumps(answer)
        given = read_decisions(told)
    except (ValueError, TypeError) as problem:
        job.tell(state, "note", "approve", f"the answer cannot be read, so it is asked again: {problem}", ok=False)
        return {"asked": state["asked"]}
    if any(decision.verdict == "abort" for decision in given.decisions):
        return stopped(f"you decided against the change of {', '.join(state['asked'])}", 4)
    return {"decisions": job.folder(state).put(told), "asked": []}


def question(error: SafeFileWriteError) -> dict[str, Any]:
    """What a person is to decide about, as plain data."""
    assert isinstance(error.changes, ChangeSet)
    changes = {change.path: change for change in error.changes.changes}
    needs = [need for need in error.needs if isinstance(need, Need)]
    return {"files": [need_question(need, changes[need.path]) for need in needs]}
