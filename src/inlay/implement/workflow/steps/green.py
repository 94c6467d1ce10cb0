"""Runs the document's tests, and once they pass the whole suite."""

from __future__ import annotations

from typing import Any

from inlay.implement.testing.coverage import Coverage
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State
from inlay.implement.workflow.suite import run_tests
from inlay.implement.workflow.test_outcome import tested
from inlay.storage import Workspace


async def green(state: State, job: Job) -> dict[str, Any]:
    """See how far it has come; what the numbers mean is decided by the next step."""
    spec = job.spec(state)
    job.tell(state, "step", "green", "running the tests, which must pass")
    named = await run_tests(state, job, state["tests"])
    suite = None
    if named.ok:
        job.tell(state, "tests", "green", f"the document's tests: {named.summary()}; now all tests")
        code = [file.path for file in spec.code_files if file.change != "delete"]
        suite = await run_tests(state, job, measure=code)
    found = tested(named, suite, state.get("before", []), job.folder(state))
    job.tell(state, "tests", "green", (suite or named).summary(), ok=not found["failing"])
    took = state.get("testing_seconds", 0.0) + found["seconds"]
    update: dict[str, Any] = {"tested": found, "testing_seconds": took}
    if suite is not None and suite.coverage is not None:
        update |= _measured(suite.coverage, state, job)
    return update


def _measured(coverage: Coverage, state: State, job: Job) -> dict[str, Any]:
    percent = {file.path: round(file.percent, 1) for file in coverage.files}
    percent |= dict.fromkeys(coverage.unreached, 0.0)
    lines = [f"{file.path}\t{_uncovered(file.path, file.missing, job.workspace)}" for file in coverage.files]
    missing = "\n".join(line for line in lines if not line.endswith("\t"))
    total = coverage.percent
    return {
        "coverage": percent,
        "covered": -1.0 if total is None else round(total, 1),
        "uncovered": job.folder(state).put(missing),
        "unmeasured": coverage.note,
    }


def _uncovered(path: str, missing: tuple[int, ...], workspace: Workspace) -> str:
    """The lines that no test runs, with their text; a tab between two."""
    file = workspace.read(workspace.locate(path))
    lines = file.text.splitlines() if file else []
    return "\t".join(f"line {n}: {lines[n - 1].strip()}" for n in missing if n <= len(lines))
