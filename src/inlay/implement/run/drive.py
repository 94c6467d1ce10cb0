"""Drives a run: begins it, goes on where it was left, and hands over what a person decided."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from inlay.errors import InlayError
from inlay.implement.workflow.build_graph import assemble
from inlay.implement.workflow.land_piece import rehearse
from inlay.implement.workflow.run_context import Job, spent
from inlay.implement.workflow.run_report import Report, compile_report
from inlay.implement.workflow.run_state import State
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision
from inlay.model.run import RunProgress, RunStatus
from inlay.storage.stores.runs import RunFolder

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph.state import CompiledStateGraph

_MOST_STEPS = 100_000  # the workflow ends by its own rules; the graph's own limit would cut it short


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, or where it stopped."""

    run: str
    status: RunStatus  #: "green", "stopped", "waiting" or "interrupted"
    report: Report | None = None  #: None where it could not even be begun
    question: dict[str, Any] | None = None  #: what a person must decide, where it waits
    exit_code: int = 0
    reason: str = ""
    document: str = ""


def start(folder: RunFolder) -> State:
    run = folder.describe()
    return {"run": run.id, "document": run.document, "spec": run.spec}


async def drive(
    folder: RunFolder, job: Job, answer: Any = None, *, saver_class: type[AsyncSqliteSaver] | None = None
) -> Ending:
    """Run to the end, or to a question that nobody here can answer."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    with folder.driving():
        async with (saver_class or AsyncSqliteSaver).from_conn_string(folder.checkpoints) as saver:
            graph = assemble(job).compile(checkpointer=saver)
            driver = _Driver(graph, folder, job)
            try:
                return await driver.go(answer)
            except (InlayError, asyncio.CancelledError, KeyboardInterrupt) as error:
                folder.report_progress(driver.progress("interrupted", reason=str(error)))
                raise


async def stored_state(folder: RunFolder, job: Job) -> State:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(folder.checkpoints) as saver:
        return await _Driver(assemble(job).compile(checkpointer=saver), folder, job).state()


class _Driver:
    def __init__(self, graph: CompiledStateGraph[State, None, State, State], folder: RunFolder, job: Job) -> None:
        self._graph, self._folder, self._job = graph, folder, job
        self._config: RunnableConfig = {"configurable": {"thread_id": folder.id}, "recursion_limit": _MOST_STEPS}
        self._last: State = start(folder)
        self._step = ""

    async def go(self, answer: Any) -> Ending:
        given = await self._first(answer)
        while given is not None:
            await self._stream(given)
            given = await self._answered()
        return await self._ending()

    async def state(self) -> State:
        found = await self._graph.aget_state(self._config)
        return found.values  # type: ignore[return-value]

    def progress(self, status: RunStatus, reason: str = "") -> RunProgress:
        tokens, cost = spent(self._last)
        return RunProgress(
            status, self._step, reason, tokens, cost, self._last.get("iteration", 0), tuple(self._last.get("asked", []))
        )

    async def _first(self, answer: Any) -> Any:
        """First input of the graph: a new state, an answer, a push without data, or None after the end."""
        from langgraph.types import Command

        found = await self._graph.aget_state(self._config)
        if found.created_at is None:
            return self._last
        self._last = found.values  # type: ignore[assignment]
        # Not `next`, which leaves out a step whose result is stored while the checkpoint after it is not.
        if not found.tasks:
            return None
        if not found.interrupts:
            return _PUSH
        if answer is not None:
            return Command(resume=answer)
        return await self._answered()

    async def _stream(self, given: Any) -> None:
        pushed = None if given is _PUSH else given
        async for update in self._graph.astream(pushed, self._config, stream_mode="updates", durability="sync"):
            self._step = next(iter(update))
            if self._step != "__interrupt__":
                self._last = {**self._last, **(update[self._step] or {})}
                self._folder.report_progress(self.progress("running"))

    async def _answered(self) -> Any:
        """The answer to a question; None where there is no question, or nobody to ask."""
        from langgraph.types import Command

        found = await self._graph.aget_state(self._config)
        if not found.interrupts or self._job.ask is None:
            return None
        self._last = found.values  # type: ignore[assignment]
        async with self._job.asking:
            return Command(resume=await asyncio.to_thread(self._ask, self._job.ask))

    def _ask(self, ask: Approve) -> dict[str, Any]:
        error = rehearse(self._last["proposed"][0], self._last, self._job)
        if error is None:
            return {"decisions": []}
        assert isinstance(error.changes, ChangeSet)
        return {"decisions": as_answers(ask(error.needs, error.changes))}

    async def _ending(self) -> Ending:
        found = await self._graph.aget_state(self._config)
        self._last = found.values  # type: ignore[assignment]
        report = compile_report(self._last, self._job.spec(self._last), self._folder)
        if found.interrupts:
            asked = found.interrupts[0].value
            self._folder.report_progress(self.progress("waiting", "a person must decide"))
            reason = f"a person must decide about {', '.join(self._last.get('asked', []))}"
            return Ending(self._folder.id, "waiting", report, asked, 4, reason, report.document)
        status: RunStatus = "green" if self._last.get("outcome") == "green" else "stopped"
        self._folder.report_progress(self.progress(status, report.reason))
        return Ending(self._folder.id, status, report, None, report.exit_code, report.reason, report.document)


_PUSH = object()


def as_answers(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Decisions as plain data, to resume a waiting run with."""
    return [_answer(decision) for decision in decisions]


def _answer(decision: Decision) -> dict[str, Any]:
    told = asdict(decision)
    told.pop("by")
    told["path"] = "*" if decision.path is None else str(decision.path)
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]
