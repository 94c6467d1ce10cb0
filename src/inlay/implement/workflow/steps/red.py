"""Checks that the tests fail before there is any code, and for the right reason."""

from __future__ import annotations

from typing import Any

from inlay.implement.testing import red_check
from inlay.implement.testing.failures import failed_before
from inlay.implement.testing.red_check import Redness
from inlay.implement.testing.run_suite import TestRun
from inlay.implement.workflow.queue import code_pieces, piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped
from inlay.implement.workflow.test_phase import run_tests, tested


async def red(state: State, job: Job) -> dict[str, Any]:
    """Run the document's tests, then the whole suite: what fails already does not count against the run."""
    spec = job.spec(state)
    job.tell(state, "step", "red", "running the tests, which must fail")
    named = await run_tests(state, job, state["tests"])
    judged = red_check.judge(named, spec)
    match judged.state:
        case "green":
            return stopped(f"already green: the document's tests pass before any change ({named.summary()})")
        case "nothing":
            return stopped(f"no test of the document was run: {named.summary()}")
        case "broken":
            return _broken(state, job, named, judged)
        case "red":
            suite = await run_tests(state, job)
            job.tell(state, "tests", "red", f"{named.summary()}, because the code is missing, as expected")
            return {
                "red": tested(named, None, (), job.folder(state)),
                "before": failed_before(suite, state["tests"]),
                "queue": code_pieces(spec),
                "phase": "code",
                "testing_seconds": state.get("testing_seconds", 0.0) + named.seconds + suite.seconds,
            }


def _broken(state: State, job: Job, named: TestRun, judged: Redness) -> dict[str, Any]:
    """Test files that this run wrote are asked for again; others are left as they are."""
    faults: dict[str, list[str]] = {}
    for verdict in judged.of("broken"):
        faults.setdefault(verdict.test.partition("::")[0], []).append(f"{verdict.test} {verdict.reason}")
    reasons = "; ".join([*(fault for lines in faults.values() for fault in lines), *filter(None, [judged.note])])
    job.tell(state, "tests", "red", f"{named.summary()}, for the wrong reason: {reasons}", ok=False)
    made = state.get("made", [])
    written = [file["path"] for file in state.get("written", []) if file["kind"] == "test"]
    tries = max((written.count(path) for path in made), default=0)
    if not faults or not faults.keys() <= set(made) or tries >= (job.settings.integer("max_attempts") or 3):
        return stopped(f"the tests fail for the wrong reason: {reasons}")
    folder = job.folder(state)
    again = [piece(path, "test", "add", notes=folder.put("\n".join(faults[path]))) for path in made if path in faults]
    return {"queue": again, "phase": "tests"}
