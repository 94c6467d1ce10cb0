"""Decides what follows on failing tests: another try, a step back to the best state, or the end."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from inlay.errors import NeedsDecision, StaleFile
from inlay.implement.testing.blame import Failure, blamed, told
from inlay.implement.workflow.best_state import restore, snapshot
from inlay.implement.workflow.queue import piece
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Best, Piece, State, Tested, WrittenPiece, stopped


async def iterate(state: State, job: Job) -> dict[str, Any]:
    """Give the failures back to the model, unless that is pointless."""
    tested = state["tested"]
    if state["phase"] == "cover":
        return await _taken_back(state, job)
    best = state.get("best")
    is_worse = best is not None and score(tested) > score(best["tested"])
    restored: list[WrittenPiece] = []
    if best is not None and is_worse:
        try:
            restored = await asyncio.to_thread(restore, best["files"], state, job)
        except (StaleFile, NeedsDecision) as error:
            return stopped(str(error), 4)
        job.tell(state, "note", "iterate", "that made it worse, so the best state so far is back", ok=False)
    else:
        best = {"tested": tested, "files": await asyncio.to_thread(snapshot, state, job)}
    update = {"best": best, "tested": best["tested"], "written": [*state.get("written", []), *restored]}
    return update | _decided(state, job, tested, best, is_worse=is_worse)


def _decided(state: State, job: Job, tested: Tested, best: Best, *, is_worse: bool) -> dict[str, Any]:
    mark, seen = _mark(tested), state.get("seen", [])
    if mark in seen:
        return stopped(f"the same {_count(tested)} again after a correction, so it stops: {_listed(tested)}")
    if state.get("iteration", 0) >= job.options.max_iterations:
        return stopped(f"{_count(best['tested'])} after {state['iteration']} corrections: {_listed(best['tested'])}")
    worse = f"An earlier correction was taken back, because then these failed: {_listed(tested)}" if is_worse else ""
    queue = _mends(state, job, best["tested"], worse)
    if not queue:
        return stopped(f"{_count(tested)}, and no file of the document is left to mend: {_listed(tested)}")
    number = state.get("iteration", 0) + 1
    job.tell(state, "step", "iterate", f"correction {number}: {_count(best['tested'])}")
    return {"seen": [*seen, mark], "iteration": number, "queue": queue, "phase": "mend"}


async def _taken_back(state: State, job: Job) -> dict[str, Any]:
    """Tests for coverage that fail are dropped: the code was green without them, and is not changed for them."""
    best = state["best"]
    restored = await asyncio.to_thread(restore, best["files"], state, job)
    reason = "all tests pass, but too little is covered, and the tests written for that fail, so they were taken back"
    job.tell(state, "note", "iterate", reason, ok=False)
    return {"tested": best["tested"], "written": [*state.get("written", []), *restored]} | stopped(reason)


def _mends(state: State, job: Job, tested: Tested, worse: str) -> list[Piece]:
    spec, folder = job.spec(state), job.folder(state)
    outputs: Mapping[str, Failure] = json.loads(folder.get(tested["output"]))
    queue = []
    for path, tests in blamed(outputs, spec).items():
        notes = folder.put("\n\n".join(filter(None, (told(outputs, tests), worse))))
        queue.append(piece(path, "mend", "modify", notes=notes))
    return queue


def score(tested: Tested) -> tuple[int, int]:
    """Lower is better: failing tests of the document first, then of the rest of the suite."""
    return tested["named"], len(tested["failing"])


def _mark(tested: Tested) -> str:
    """A failing set: the same tests, failing in the same way."""
    pairs = sorted(zip(tested["failing"], tested["kinds"], strict=True))
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()


def _count(tested: Tested) -> str:
    count = len(tested["failing"])
    return "1 test fails" if count == 1 else f"{count} tests fail"


def _listed(tested: Tested) -> str:
    """The failing tests with what they say, as many as can be told in a line."""
    told = [f"{id}: {said}" if said else id for id, said in zip(tested["failing"], tested["said"], strict=False)]
    more = len(tested["failing"]) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "")
