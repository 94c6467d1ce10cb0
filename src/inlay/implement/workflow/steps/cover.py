"""Checks the coverage of the changed files; too little leads to more tests, never to other code."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.implement.testing import run_suite
from inlay.implement.workflow.best_state import snapshot
from inlay.implement.workflow.queue import piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped

_MAX_ROUNDS = 2  # of more tests


async def cover(state: State, job: Job) -> dict[str, Any]:
    """All tests pass: the run is done, unless the document asks for more coverage."""
    wanted = run_suite.setup(job.spec(state).plan, job.settings).coverage
    covered = state.get("covered", -1.0)
    notes = [state["unmeasured"]] if state.get("unmeasured") else []
    if wanted is None or covered >= wanted:
        return {"outcome": "green", "reason": "", "exit_code": 0, "notes": [*state.get("notes", []), *notes]}
    if covered < 0:
        why = state.get("unmeasured") or "nothing was measured"
        return stopped(f"all tests pass, but {wanted:g}% coverage is required, and it is {why}")
    # Only test files that this run wrote, which the document lists or lacks.
    writable = {file["path"] for file in state.get("written", []) if file["kind"] in ("test", "cover")}
    target = next((path for path in state["tests"] if path in writable), None)
    rounds = state.get("covering", 0)
    if rounds >= _MAX_ROUNDS or target is None:
        why = "and no test file may be changed" if target is None else f"after {rounds} rounds of more tests"
        return stopped(f"all tests pass, but they cover {covered:g}% of the changed files, not {wanted:g}%, {why}")
    job.tell(state, "step", "cover", f"{covered:g}% covered, {wanted:g}% required: asking for more tests")
    best = {"tested": state["tested"], "files": await asyncio.to_thread(snapshot, state, job)}
    queue = [piece(target, "cover", "modify", notes=state["uncovered"])]
    return {"queue": queue, "phase": "cover", "best": best, "covering": rounds + 1}
