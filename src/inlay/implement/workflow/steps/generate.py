"""Asks the model for the next pieces: those of one wave at the same time, kept in the document's order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inlay.errors import ImplementationError, InlayError, Misfit, ReplyRejected
from inlay.generation.events import Answered, AttemptFailed, Event, TextArrived
from inlay.generation.generate import Proposal, propose
from inlay.implement.workflow import model_tasks
from inlay.implement.workflow.changes_codec import keep
from inlay.implement.workflow.objections import objection
from inlay.implement.workflow.queue import next_wave
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, ProposedPiece, Spent, State, stopped
from inlay.llm.cache import remember
from inlay.model.change import Change, ChangeSet
from inlay.model.task import Attempt
from inlay.storage.stores.answer_cache import AnswerCache

_SOUND = "Send the file again with tests that call the code and assert on what it does, and that keep what was there."


@dataclass(frozen=True, slots=True)
class _Asked:
    """What became of one piece."""

    piece: Piece
    spent: Spent
    changes: ChangeSet | None = None
    failure: InlayError | None = None


async def generate(state: State, job: Job) -> dict[str, Any]:
    """Propose changes for one wave; nothing is written here."""
    wave = next_wave(state["queue"])
    gate = asyncio.Semaphore(job.settings.integer("concurrency") or 1)
    asked = await asyncio.gather(*(_asked(piece, state, job, gate) for piece in wave))
    update = {
        "queue": state["queue"][len(wave) :],
        "spent": [*state.get("spent", []), *(each.spent for each in asked if each.spent["attempts"])],
    }
    failed = next((each for each in asked if each.failure), None)
    if failed is not None and not _is_idle(asked):
        return update | stopped(_why(failed), failed.failure.exit_code if failed.failure else 1)
    return update | {"proposed": [_proposed(each, state, job) for each in asked if each.changes]}


def _is_idle(asked: Sequence[_Asked]) -> bool:
    """Whether all that failed is files in which there was nothing to mend, while another had something."""
    failed = [each for each in asked if each.failure]
    return all(each.piece["kind"] == "mend" for each in failed) and len(failed) < len(asked)


def _why(failed: _Asked) -> str:
    return f"{failed.piece['path']} could not be written: {failed.failure}"


def _proposed(each: _Asked, state: State, job: Job) -> ProposedPiece:
    assert each.changes is not None
    return {"piece": each.piece, "content": keep(each.changes, job.folder(state))}


async def _asked(piece: Piece, state: State, job: Job, gate: asyncio.Semaphore) -> _Asked:
    """Ask until nothing speaks against the answer; a hollow test costs an attempt like any other fault."""
    if piece["change"] == "delete":
        return _Asked(piece, _spent(piece, ()), _deletion(piece, job))
    job.tell(state, "file", "generate", f"asking for {_named(piece)}", path=piece["path"])
    heard = _Hearing(state, piece["path"], job)
    try:
        proposal = await _propose(piece, state, job, gate, heard)
    except ImplementationError as failure:
        _raise_for_surroundings(failure)
        return _Asked(piece, _spent(piece, heard.failed), failure=failure)
    return _Asked(piece, _spent(piece, proposal.attempts), proposal.changes)


class _Hearing:
    """Hears what matters of one generation, and keeps the attempts that failed."""

    def __init__(self, state: State, path: str, job: Job) -> None:
        self._state, self._path, self._job = state, path, job
        self.failed: list[Attempt] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, AttemptFailed):
            self.failed.append(event.attempt)
            self._job.tell(self._state, "retry", "generate", event.line, path=self._path, ok=False)
        elif isinstance(event, Answered):
            tokens = f"{event.usage.output:,} tokens" + (", remembered" if event.remembered else "")
            self._job.tell(self._state, "status", "generate", f"answered with {tokens}", path=self._path)
        elif isinstance(event, TextArrived):
            self._job.tell(self._state, "status", "generate", f"{event.tokens:,} tokens", path=self._path)


async def _propose(piece: Piece, state: State, job: Job, gate: asyncio.Semaphore, heard: _Hearing) -> Proposal:
    def objected(changes: ChangeSet) -> Misfit | None:
        wrong = objection(piece, changes, state, job)
        return Misfit("hollow", wrong, _SOUND, path=piece["path"]) if wrong else None

    return await propose(
        model_tasks.task(piece, state, job),
        job.workspace,
        remember(job.model, AnswerCache(job.folder(state).answers)),
        model_tasks.options(job),
        on_event=heard,
        spending=job.spending,
        job="implement",
        gate=gate,
        objection=objected,
    )


def _raise_for_surroundings(failure: ImplementationError) -> None:
    """What is no fault of an answer ends this process, not the run: it goes on when it is resumed."""
    if not isinstance(failure.cause, ReplyRejected):
        raise failure.cause from failure


def _named(piece: Piece) -> str:
    return {"test": "the tests", "code": "the code", "mend": "a correction", "cover": "more tests"}[piece["kind"]]


def _deletion(piece: Piece, job: Job) -> ChangeSet | None:
    path = job.workspace.locate(piece["path"])
    file = job.workspace.read(path)
    return ChangeSet((Change(path, file, None),), "document") if file else None


def _spent(piece: Piece, attempts: Sequence[Attempt]) -> Spent:
    costs = [each.cost for each in attempts]
    return {
        "path": piece["path"],
        "kind": piece["kind"],
        "attempts": len(attempts),
        "errors": [each.message or each.error for each in attempts if each.error],
        "input": sum(each.usage.input for each in attempts),
        "output": sum(each.usage.output for each in attempts),
        "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        "seconds": round(sum(each.seconds for each in attempts), 3),
    }
