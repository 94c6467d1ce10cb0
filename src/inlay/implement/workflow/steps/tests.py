"""Queues the test files: those that exist are used, those that are missing are asked for."""

from __future__ import annotations

from typing import Any

from inlay.implement.spec.document import is_test_file
from inlay.implement.workflow.queue import test_pieces
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped


async def tests(state: State, job: Job) -> dict[str, Any]:
    spec = job.spec(state)
    queue = test_pieces(spec, lambda path: job.file(path) is not None)
    files = [path for path in spec.test_files if is_test_file(path)]
    if not files:
        return stopped(f"{state['document']} names no test file, so nothing could show that it is implemented")
    made = [piece["path"] for piece in queue if piece["change"] == "add"]
    existing = [path for path in files if path not in made]
    job.tell(state, "step", "tests", f"{len(existing)} test files exist, {len(queue)} to write")
    return {"queue": queue, "tests": files, "made": made, "phase": "tests"}
