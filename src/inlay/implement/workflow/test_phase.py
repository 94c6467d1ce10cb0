"""Runs the tests for a step and turns the results into the state that later steps read."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Collection, Sequence
from dataclasses import replace

from inlay.implement.testing import run_suite
from inlay.implement.testing.failures import command_result, error_kind, failed_results, failure
from inlay.implement.testing.run_suite import COMMAND, TestRun
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, Tested
from inlay.prompts import sanitise
from inlay.storage.scratch_copy import environment
from inlay.storage.stores.runs import RunFolder

_MAX_MESSAGES = 5


async def run_tests(state: State, job: Job, tests: Sequence[str] = (), *, measure: Sequence[str] = ()) -> TestRun:
    """Run the named test files, or all there are; a cancelled step stops them."""
    stop = threading.Event()
    setup = replace(run_suite.setup(job.spec(state).plan, job.settings), stop=stop)
    if job.options.worktree:
        # An editable install leads to the project itself; what is tested is the worktree.
        setup = replace(setup, environ=environment(job.workspace.root))
    try:
        return await asyncio.to_thread(run_suite.run_tests, str(job.workspace.root), setup, tests, measure=measure)
    except asyncio.CancelledError:
        stop.set()
        raise


def tested(named: TestRun, suite: TestRun | None, before: Collection[str], folder: RunFolder) -> Tested:
    """The failures that count: all of the document's tests, and those of the rest that did not fail before."""
    own = failed_results(named)
    rest = [result for result in failed_results(suite) if result.id not in before] if suite else []
    failing = {result.id: result for result in (*rest, *own)}
    if not failing and not named.ok:
        failing = {COMMAND: command_result(named)}
    ids = sorted(failing)
    outcomes = {result.id: result.outcome for run in (suite, named) if run for result in run.results}
    return {
        "failing": ids,
        "kinds": [error_kind(failing[id]) for id in ids],
        "said": [sanitise.line(failing[id].message) for id in ids[:_MAX_MESSAGES]],
        "passed": sum(outcome == "passed" for outcome in outcomes.values()),
        "named": len(own) or int(bool(failing) and suite is None),
        "suite": suite is not None,
        "seconds": round(named.seconds + (suite.seconds if suite else 0.0), 3),
        "output": folder.put(json.dumps({id: failure(failing[id]) for id in ids})),
        "results": folder.put(json.dumps(outcomes, sort_keys=True)),
    }
