"""Looks at the coverage of what was written; too little leads to more tests, never to other code."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.implement.testing import run_suite
from inlay.implement.workflow.best_state import snapshot
from inlay.implement.workflow.queue import piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped

_MOST = 2  # rounds of more tests


async def cover(state: State, job: Job) -> dict[str, Any]:
    """All tests pass here: it is done, unless the document wants more covered than is."""
    wanted = run_suite.setup(job.spec(state).plan, job.settings).coverage
    covered = state.get("covered", -1.0)
    notes = [state["unmeasured"]] if state.get("unmeasured") else []
    if wanted is None or covered >= wanted:
        return _done(state, notes)
    if covered < 0:
        why = state.get("unmeasured") or "nothing was measured"
        return stopped(f"all tests pass, but {wanted:g}% coverage is asked for, and it is {why}")
    target = next((path for path in state["tests"] if path in _writable(state)), None)
    rounds = state.get("covering", 0)
    if rounds >= _MOST or target is None:
        who = "and no test file may be changed" if target is None else f"after {rounds} rounds of more tests"
        return stopped(f"all tests pass, but they cover {covered:g}% of the changed files, not {wanted:g}%, {who}")
    job.tell(state, "step", "cover", f"{covered:g}% covered, {wanted:g}% wanted: more tests")
    best = {"tested": state["tested"], "files": await asyncio.to_thread(snapshot, state, job)}
    queue = [piece(target, "cover", "modify", notes=state["uncovered"])]
    return {"queue": queue, "phase": "cover", "best": best, "covering": rounds + 1}


def _writable(state: State) -> set[str]:
    """Test files that this run may add to: those it wrote, which the document lists or lacks."""
    return {each["path"] for each in state.get("written", []) if each["kind"] in ("test", "cover")}


def _done(state: State, notes: list[str]) -> dict[str, Any]:
    return {"outcome": "green", "reason": "", "exit_code": 0, "notes": [*state.get("notes", []), *notes]}
