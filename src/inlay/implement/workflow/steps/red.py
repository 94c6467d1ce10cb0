"""Sees the tests fail before there is any code, and for the right reason."""

from __future__ import annotations

from typing import Any

from inlay.implement.testing import red_check
from inlay.implement.testing.red_check import Redness
from inlay.implement.testing.run_suite import TestRun
from inlay.implement.workflow.queue import code_pieces, piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, State, stopped
from inlay.implement.workflow.suite import run_tests
from inlay.implement.workflow.test_outcome import failed_before, tested


async def red(state: State, job: Job) -> dict[str, Any]:
    """Run the document's tests, then the whole suite: what fails already is not blamed on what comes."""
    spec = job.spec(state)
    job.tell(state, "step", "red", "running the tests, which must fail")
    named = await run_tests(state, job, state["tests"])
    judged = red_check.judge(named, spec)
    match judged.state:
        case "green":
            return stopped(f"already green: the document's tests pass before anything was done ({named.summary()})")
        case "nothing":
            return stopped(f"the tests show nothing: {named.summary()}")
        case "broken":
            return _broken(state, job, named, judged)
        case "red":
            suite = await run_tests(state, job)
            job.tell(state, "tests", "red", f"{named.summary()}: what is to be built is missing, as it should be")
            return {
                "red": tested(named, None, (), job.folder(state)),
                "before": failed_before(suite, state["tests"]),
                "queue": code_pieces(spec),
                "phase": "code",
                "testing_seconds": state.get("testing_seconds", 0.0) + named.seconds + suite.seconds,
            }


def _broken(state: State, job: Job, named: TestRun, judged: Redness) -> dict[str, Any]:
    """Tests of our own making are asked for again; nobody else's are touched."""
    wrong: dict[str, list[str]] = {}
    for verdict in judged.of("broken"):
        wrong.setdefault(verdict.test.partition("::")[0], []).append(f"{verdict.test} {verdict.reason}")
    said = "; ".join([*(why for each in wrong.values() for why in each), *([judged.note] if judged.note else [])])
    job.tell(state, "tests", "red", f"{named.summary()}, for the wrong reason: {said}", ok=False)
    ours = [path for path in state.get("made", []) if path in wrong]
    if not ours or len(ours) < len(wrong) or _tries(state) >= (job.settings.integer("max_attempts") or 3):
        return stopped(f"the tests fail for the wrong reason: {said}")
    folder = job.folder(state)
    queue: list[Piece] = [piece(path, "test", "add", notes=folder.put("\n".join(wrong[path]))) for path in ours]
    return {"queue": queue, "phase": "tests"}


def _tries(state: State) -> int:
    """How often the tests of our own making have been written."""
    written = [each["path"] for each in state.get("written", []) if each["kind"] == "test"]
    return max((written.count(path) for path in state.get("made", [])), default=0)
