"""Runs the tests for a step, where the work stands, and ends them when nobody waits for them any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace

from inlay.implement.testing import run_suite
from inlay.implement.testing.run_suite import TestRun
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State
from inlay.storage.scratch_copy import environment


async def run_tests(state: State, job: Job, tests: Sequence[str] = (), *, measure: Sequence[str] = ()) -> TestRun:
    """The named test files, or all there are."""
    stop = threading.Event()
    how = replace(run_suite.setup(job.spec(state).plan, job.settings), stop=stop)
    if job.options.worktree:
        # An editable install leads to the project itself; what is tested is the worktree.
        how = replace(how, environ=environment(job.workspace.root))
    try:
        return await asyncio.to_thread(run_suite.run_tests, str(job.workspace.root), how, tests, measure=measure)
    except asyncio.CancelledError:
        stop.set()
        raise
