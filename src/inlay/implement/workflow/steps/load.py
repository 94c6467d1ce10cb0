"""Reads the document, as it was when the run began."""

from __future__ import annotations

from typing import Any

from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State


async def load(state: State, job: Job) -> dict[str, Any]:
    spec = job.spec(state)
    files, tests = len(spec.code_files), len(spec.tests)
    job.tell(state, "step", "load", f"{spec.title or state['document']}: {files} files, {tests} tests planned")
    return {"queue": [], "proposed": [], "written": [], "spent": [], "notes": [], "outcome": "", "iteration": 0}
