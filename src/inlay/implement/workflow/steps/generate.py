"""Asks the model for the next pieces: those of one wave at the same time, in the document's order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inlay.errors import ImplementationError, InlayError, Misfit, ReplyRejected
from inlay.generation.events import Answered, AttemptFailed, Event, TextArrived
from inlay.generation.generate import propose
from inlay.implement.spec.document import is_test_file
from inlay.implement.test_quality.empty_tests import find_empty_tests, names_of_tests
from inlay.implement.test_quality.weakened_tests import weakened
from inlay.implement.workflow import model_tasks
from inlay.implement.workflow.queue import next_wave, planned_tests
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, ProposedPiece, Spent, State, stopped
from inlay.llm.cache import remember
from inlay.model.change import Change, ChangeSet
from inlay.model.task import Attempt, GenerateOptions
from inlay.storage.stores import change_codec
from inlay.storage.stores.answer_cache import AnswerCache

_PIECE_NAMES = {"test": "the tests", "code": "the code", "mend": "a correction", "cover": "more tests"}
_ADVICE = "Send the file again with tests that call the code and assert on what it does, and that keep what was there."
_MAX_REASONS = 10


@dataclass(frozen=True, slots=True)
class _PieceResult:
    piece: Piece
    spent: Spent
    changes: ChangeSet | None = None
    failure: InlayError | None = None


async def generate(state: State, job: Job) -> dict[str, Any]:
    """Propose changes for one wave; nothing is written here."""
    wave = next_wave(state["queue"])
    gate = asyncio.Semaphore(job.settings.integer("concurrency") or 1)
    results = await asyncio.gather(*(_ask(piece, state, job, gate) for piece in wave))
    update: dict[str, Any] = {
        "queue": state["queue"][len(wave) :],
        "spent": [*state.get("spent", []), *(result.spent for result in results if result.spent["attempts"])],
    }
    failed = [result for result in results if result.failure]
    # A file may have nothing to repair, as long as another one has.
    if failed and (len(failed) == len(results) or any(result.piece["kind"] != "mend" for result in failed)):
        path, failure = failed[0].piece["path"], failed[0].failure
        return update | stopped(f"{path} could not be written: {failure}", failure.exit_code if failure else 1)
    proposed: list[ProposedPiece] = [
        {"piece": result.piece, "content": change_codec.store(result.changes, job.folder(state))}
        for result in results
        if result.changes
    ]
    return update | {"proposed": proposed}


async def _ask(piece: Piece, state: State, job: Job, gate: asyncio.Semaphore) -> _PieceResult:
    """Ask until there is no objection to the answer; a test that cannot fail costs an attempt like any other fault."""
    if piece["change"] == "delete":
        path = job.workspace.locate(piece["path"])
        file = job.workspace.read(path)
        changes = ChangeSet((Change(path, file, None),), "document") if file else None
        return _PieceResult(piece, _spent(piece, ()), changes)
    job.tell(state, "file", "generate", f"asking for {_PIECE_NAMES[piece['kind']]}", path=piece["path"])
    listener = _PieceListener(state, piece["path"], job)

    def check(changes: ChangeSet) -> Misfit | None:
        reason = _objection(piece, changes, state, job)
        return Misfit("hollow", reason, _ADVICE, path=piece["path"]) if reason else None

    try:
        proposal = await propose(
            model_tasks.task(piece, state, job),
            job.workspace,
            remember(job.model, AnswerCache(job.folder(state).answers)),
            GenerateOptions.of(job.settings),
            on_event=listener,
            spending=job.spending,
            job="implement",
            gate=gate,
            objection=check,
        )
    except ImplementationError as failure:
        if not isinstance(failure.cause, ReplyRejected):
            # Not the answer's fault: it ends this process, and the run can be resumed.
            raise failure.cause from failure
        return _PieceResult(piece, _spent(piece, listener.failed), failure=failure)
    return _PieceResult(piece, _spent(piece, proposal.attempts), proposal.changes)


def _objection(piece: Piece, changes: ChangeSet, state: State, job: Job) -> str:
    """Why a proposed test file must not be used: it shows nothing, or less than before, or not what was planned."""
    path = piece["path"]
    if piece["kind"] not in ("test", "cover") or not is_test_file(path) or not changes.changes:
        return ""
    change = changes.changes[0]
    # A file that this run created may be rewritten; every other file keeps what it shows.
    before = "" if piece["change"] == "add" or change.before is None else change.before.text
    after = change.after or ""
    old = {weak.test for weak in find_empty_tests(path, before)} if before else set()
    weak_tests = [weak for weak in find_empty_tests(path, after) if weak.test not in old]
    weak_tests += weakened(path, before, after) if before else ()
    reasons = [f"{weak.test or 'the file'} {weak.reason}" for weak in weak_tests]
    if len(reasons) > _MAX_REASONS:
        reasons[_MAX_REASONS:] = [f"and {len(reasons) - _MAX_REASONS} more"]
    if piece["kind"] == "test":
        names = {name.rpartition("::")[2] for name in names_of_tests(path, after)}
        absent = [test.name for test in planned_tests(path, job.spec(state)) if test.name and test.name not in names]
        reasons += [f"tests of the plan are missing: {', '.join(absent)}"] if names and absent else []
    return "; ".join(reasons)


class _PieceListener:
    """Reports the events of one generation, and collects the attempts that failed."""

    def __init__(self, state: State, path: str, job: Job) -> None:
        self._state, self._path, self._job = state, path, job
        self.failed: list[Attempt] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, AttemptFailed):
            self.failed.append(event.attempt)
            self._job.tell(self._state, "retry", "generate", event.line, path=self._path, ok=False)
        elif isinstance(event, Answered):
            tokens = f"{event.usage.output:,} tokens" + (", from the cache" if event.remembered else "")
            self._job.tell(self._state, "status", "generate", f"answered with {tokens}", path=self._path)
        elif isinstance(event, TextArrived):
            self._job.tell(self._state, "status", "generate", f"{event.tokens:,} tokens", path=self._path)


def _spent(piece: Piece, attempts: Sequence[Attempt]) -> Spent:
    costs = [attempt.cost for attempt in attempts]
    return {
        "path": piece["path"],
        "kind": piece["kind"],
        "attempts": len(attempts),
        "errors": [attempt.message or attempt.error for attempt in attempts if attempt.error],
        "input": sum(attempt.usage.input for attempt in attempts),
        "output": sum(attempt.usage.output for attempt in attempts),
        "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        "seconds": round(sum(attempt.seconds for attempt in attempts), 3),
    }
