"""Decides what follows failing tests: another correction, a return to the best state, or the end of the run."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from inlay.errors import NeedsDecision, StaleFile
from inlay.implement.testing.failures import Failure, failure_output, files_to_repair
from inlay.implement.workflow.best_state import restore, snapshot
from inlay.implement.workflow.queue import piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Best, State, Tested, WrittenPiece, stopped


async def iterate(state: State, job: Job) -> dict[str, Any]:
    """Give the failures back to the model, unless that is pointless."""
    tested = state["tested"]
    if state["phase"] == "cover":
        return await _drop_coverage_tests(state, job)
    best = state.get("best")
    is_worse = best is not None and _score(tested) > _score(best["tested"])
    restored: list[WrittenPiece] = []
    if best is not None and is_worse:
        try:
            restored = await asyncio.to_thread(restore, best["files"], state, job)
        except (StaleFile, NeedsDecision) as error:
            return stopped(str(error), 4)
        job.tell(state, "note", "iterate", "more tests failed, so the best state so far was restored", ok=False)
    else:
        best = {"tested": tested, "files": await asyncio.to_thread(snapshot, state, job)}
    update = {"best": best, "tested": best["tested"], "written": [*state.get("written", []), *restored]}
    return update | _next_correction(state, job, tested, best, is_worse=is_worse)


def _next_correction(state: State, job: Job, tested: Tested, best: Best, *, is_worse: bool) -> dict[str, Any]:
    # A failing set: the same tests, failing in the same way.
    pairs = sorted(zip(tested["failing"], tested["kinds"], strict=True))
    mark, seen = hashlib.sha256(json.dumps(pairs).encode()).hexdigest(), state.get("seen", [])
    if mark in seen:
        return stopped(f"a correction changed nothing, {_count(tested)} as before: {_listed(tested)}")
    if state.get("iteration", 0) >= job.options.max_iterations:
        return stopped(f"{_count(best['tested'])} after {state['iteration']} corrections: {_listed(best['tested'])}")
    worse = f"An earlier correction was reverted, because with it these failed: {_listed(tested)}" if is_worse else ""
    folder, queue = job.folder(state), []
    outputs: Mapping[str, Failure] = json.loads(folder.get(best["tested"]["output"]))
    for path, tests in files_to_repair(outputs, job.spec(state)).items():
        notes = folder.put("\n\n".join(filter(None, (failure_output(outputs, tests), worse))))
        queue.append(piece(path, "mend", "modify", notes=notes))
    if not queue:
        return stopped(f"{_count(tested)}, and the document has no file to repair: {_listed(tested)}")
    number = state.get("iteration", 0) + 1
    job.tell(state, "step", "iterate", f"correction {number}: {_count(best['tested'])}")
    return {"seen": [*seen, mark], "iteration": number, "queue": queue, "phase": "mend"}


async def _drop_coverage_tests(state: State, job: Job) -> dict[str, Any]:
    """Tests for coverage that fail are dropped: the code was green without them, and is not changed for them."""
    best = state["best"]
    restored = await asyncio.to_thread(restore, best["files"], state, job)
    reason = "all tests pass, but coverage is too low; the tests added for it failed and were removed"
    job.tell(state, "note", "iterate", reason, ok=False)
    return {"tested": best["tested"], "written": [*state.get("written", []), *restored]} | stopped(reason)


def _score(tested: Tested) -> tuple[int, int]:
    """Lower is better: failing tests of the document first, then of the rest of the suite."""
    return tested["named"], len(tested["failing"])


def _count(tested: Tested) -> str:
    count = len(tested["failing"])
    return "1 test fails" if count == 1 else f"{count} tests fail"


def _listed(tested: Tested) -> str:
    """The failing tests with their messages, as many as fit in a line."""
    pairs = zip(tested["failing"], tested["said"], strict=False)
    shown = [f"{id}: {message}" if message else id for id, message in pairs]
    more = len(tested["failing"]) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")
