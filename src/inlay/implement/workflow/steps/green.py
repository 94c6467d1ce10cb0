"""Runs the document's tests, and once they pass the whole suite."""

from __future__ import annotations

from typing import Any

from inlay.implement.testing.coverage import Coverage
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State
from inlay.implement.workflow.test_phase import run_tests, tested


async def green(state: State, job: Job) -> dict[str, Any]:
    spec = job.spec(state)
    job.tell(state, "step", "green", "running the tests, which must pass")
    named = await run_tests(state, job, state["tests"])
    suite = None
    if named.ok:
        job.tell(state, "tests", "green", f"the document's tests: {named.summary()}; running all tests")
        code = [file.path for file in spec.code_files if file.change != "delete"]
        suite = await run_tests(state, job, measure=code)
    result = tested(named, suite, state.get("before", []), job.folder(state))
    job.tell(state, "tests", "green", (suite or named).summary(), ok=not result["failing"])
    seconds = state.get("testing_seconds", 0.0) + result["seconds"]
    update: dict[str, Any] = {"tested": result, "testing_seconds": seconds}
    if suite is not None and suite.coverage is not None:
        update |= _measured(suite.coverage, state, job)
    return update


def _measured(coverage: Coverage, state: State, job: Job) -> dict[str, Any]:
    percent = {file.path: round(file.percent, 1) for file in coverage.files}
    percent |= dict.fromkeys(coverage.unreached, 0.0)
    missing = []
    for measured in coverage.files:
        file = job.workspace.read(job.workspace.locate(measured.path))
        lines = file.text.splitlines() if file else []
        uncovered = [f"line {n}: {lines[n - 1].strip()}" for n in measured.missing if n <= len(lines)]
        missing += ["\t".join([measured.path, *uncovered])] if uncovered else []
    return {
        "coverage": percent,
        "covered": -1.0 if coverage.percent is None else round(coverage.percent, 1),
        "uncovered": job.folder(state).put("\n".join(missing)),
        "unmeasured": coverage.note,
    }
