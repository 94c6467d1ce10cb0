"""Makes a proposal of a task: conversations with a model until all answers fit together; nothing is written."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Literal, TypeAlias

from inlay.errors import EditsRefused, InlayError, Misfit
from inlay.generation.context import WHOLE, edit_format, groups, read_context
from inlay.generation.conversation import Conversation, GenerationJob, log
from inlay.generation.evaluate import Accepted, Rejected, objected
from inlay.generation.events import OnEvent, Proposed, Validating
from inlay.generation.partial_edits import count_by_file
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.llm.tokens import counter
from inlay.model.answer import ModelInfo, Usage
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.finding import Finding
from inlay.model.prompt import Prompt
from inlay.model.statistics import Metric
from inlay.model.task import Attempt, GenerateOptions, Mode, Task
from inlay.processes import command
from inlay.processes.command import Finished
from inlay.prompts import edit_request
from inlay.prompts.blocks import Blocks
from inlay.prompts.retry_feedback import Feedback
from inlay.storage import Workspace
from inlay.storage.scratch_copy import environment, scratch
from inlay.storage.state.secrets import prompt_key
from inlay.storage.stores import metrics

#: Says what is wrong with a result; None where nothing is.
Objection: TypeAlias = Callable[[ChangeSet], Misfit | None]
_LEAST, _USUAL, _MOST = 1 / 6, 1 / 4, 1 / 2  # tokens to a byte of code


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that a model has made and that fits, and what it took; it is not written yet."""

    task: Task
    changes: ChangeSet
    reading: Reading
    findings: tuple[Finding, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None  #: US dollars; None where a price is not known
    seconds: float = 0.0
    mode: Mode = "whole"  #: "edits" where any file was requested by edits
    format: str = ""  #: of the edits, or that of whole files
    model: str = ""
    whole_tokens: int | None = None  #: what writing the files whole would have taken, estimated
    checked: ChangeSet | None = field(default=None, repr=False)  #: the changes that `findings` are about


async def propose(
    task: Task,
    workspace: Workspace,
    model: Model,
    options: GenerateOptions | None = None,
    *,
    on_event: OnEvent | None = None,
    spending: Spending | None = None,
    job: str = "edit",
    gate: asyncio.Semaphore | None = None,
    backoff: Backoff | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    objection: Objection | None = None,
) -> Proposal:
    """A change of the task's files that fits and passes its checks; nothing is written.

    Raises ImplementationError when all attempts are used, ProviderFailure where asking again is no use, and
    LimitReached where a limit ends it. `spending` and `gate` may be shared by many tasks. `objection` is a check of the
    caller's own: what it objects to is sent to the model, and costs an attempt like any other rejection.
    """
    options = options or GenerateOptions()
    shared = GenerationJob(
        model,
        options,
        spending or Spending(options.limits),
        Blocks(prompt_key(workspace.root)),
        counter(model.info),
        gate or asyncio.Semaphore(options.concurrency),
        on_event or (lambda event: None),
        backoff or Backoff(),
        sleep,
    )
    started = monotonic()
    context = read_context(task, workspace, options, model.info)
    format = edit_format(model.info, options)
    grouped = groups(context.targets, model.info, shared.count)
    label = task.label or "edit"
    talks = tuple(
        Conversation(context.work(group, format), group, shared, label if len(grouped) == 1 else f"{label} {n}")
        for n, group in enumerate(grouped, 1)
    )
    try:
        accepted = await _accepted(talks, workspace, shared, objection)
    except (InlayError, asyncio.CancelledError):
        _record(workspace, job, _proposal(task, talks, [], shared, monotonic() - started), "failed")
        raise
    proposal = _proposal(task, talks, accepted, shared, monotonic() - started)
    _record(workspace, job, proposal, "done")
    shared.emit(Proposed(proposal))
    return proposal


def first_prompts(task: Task, workspace: Workspace, info: ModelInfo, options: GenerateOptions) -> tuple[Prompt, ...]:
    """Exactly what would be sent first, a prompt for each request."""
    blocks, context = Blocks(prompt_key(workspace.root)), read_context(task, workspace, options, info)
    format = edit_format(info, options)
    grouped = groups(context.targets, info, counter(info))
    return tuple(edit_request.prompt(context.work(group, format), blocks) for group in grouped)


async def _accepted(
    talks: Sequence[Conversation], workspace: Workspace, job: GenerationJob, objection: Objection | None
) -> list[Accepted]:
    """An accepted answer of every conversation; together they pass the user's command."""
    while True:
        running = [asyncio.ensure_future(talk.accepted_answer()) for talk in talks]
        try:
            accepted = list(await asyncio.gather(*running))
        finally:
            # The first failure ends the others.
            for future in running:
                future.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        rejected = await _rejection(_together(accepted), workspace, job, objection)
        if rejected is None:
            return accepted
        for talk, answer in zip(talks, accepted, strict=True):
            talk.reject(replace(rejected, expected=count_by_file(answer.reading.parts)))


async def _rejection(
    changes: ChangeSet, workspace: Workspace, job: GenerationJob, objection: Objection | None
) -> Rejected | None:
    """Why the caller's check or the user's command rejects a result."""
    if objection is not None and (misfit := objection(changes)) is not None:
        return objected(misfit)
    if job.options.check is None:
        return None
    log.debug("running %s on a copy of the result", job.options.check)
    job.emit(Validating(job.options.check))
    return await _check_failure(job.options.check, changes, workspace, job.options)


async def _check_failure(
    line: str, changes: ChangeSet, workspace: Workspace, options: GenerateOptions
) -> Rejected | None:
    """Why the user's check command fails on a copy of the result; None where it succeeds."""
    stop = threading.Event()

    def run() -> Finished:
        with scratch(workspace, changes) as folder:
            environ = environment(folder)
            return command.run(line, cwd=str(folder), timeout=options.check_timeout, environ=environ, stop=stop)

    try:
        finished = await asyncio.to_thread(run)
    except asyncio.CancelledError:
        stop.set()
        raise
    if finished.ok:
        return None
    how = f"took longer than {finished.seconds:.0f} s" if finished.timed_out else f"ended with {finished.code}"
    last = next((text.strip() for text in reversed(finished.output.split("\n")) if text.strip()), "")
    message = f"the check `{line}` {how}{': ' if last else ''}{last}"
    misfit = Misfit("check", f"the check `{line}` {how}", "Fix the change so that the check succeeds.")
    summary = f"Your edits fit, but with them the command `{line}` {how}. This is what it printed:"
    return Rejected("check", message, Feedback(summary, output=finished.output), EditsRefused(misfit))


def _together(accepted: Sequence[Accepted]) -> ChangeSet:
    return ChangeSet(
        tuple(change for answer in accepted for change in answer.changes.changes),
        accepted[0].changes.format if accepted else "",
        tuple(warning for answer in accepted for warning in answer.changes.warnings),
        accepted[0].changes.allow if accepted else frozenset(),
    )


def _proposal(
    task: Task, talks: Sequence[Conversation], accepted: Sequence[Accepted], job: GenerationJob, seconds: float
) -> Proposal:
    changes = _together(accepted)
    attempts = tuple(attempt for talk in talks for attempt in talk.attempts)
    used = sum((attempt.usage for attempt in attempts), Usage())
    format = edit_format(job.model.info, job.options)
    by_edits = any(talk.mode == "edits" for talk in talks)
    return Proposal(
        task,
        changes,
        Reading(changes.format or format, tuple(part for answer in accepted for part in answer.reading.parts)),
        tuple(finding for answer in accepted for finding in answer.findings),
        attempts,
        used,
        _total_cost(attempts),
        seconds,
        "edits" if by_edits else "whole",
        format if by_edits else WHOLE,
        job.model.info.name,
        _whole_tokens(changes, used, sum(talk.answered for talk in talks)),
        changes,
    )


def _total_cost(attempts: Sequence[Attempt]) -> float | None:
    """US dollars; None where an answer had no known price."""
    costs = [attempt.cost for attempt in attempts if attempt.usage.total]
    priced = [cost for cost in costs if cost is not None]
    return sum(priced) if len(priced) == len(costs) else None


def _whole_tokens(changes: ChangeSet, usage: Usage, answered: int) -> int:
    """What writing the changed files whole would have taken, by this model's own rate of tokens to bytes."""
    rate = usage.output / answered if answered and usage.output else _USUAL
    rate = min(max(rate, _LEAST), _MOST)  # what a model thinks before it answers counts as output, too
    after = [change.after for change in changes.changes if change.after and not change.is_noop]
    return round(sum(len(text.encode("utf-8", "replace")) for text in after) * rate)


def _record(workspace: Workspace, job: str, proposal: Proposal, outcome: Literal["done", "failed"]) -> None:
    """Store the figures of a job, never content; the proposal of a failed one has what was tried."""
    metric = Metric(
        datetime.now(UTC).isoformat(timespec="seconds"),
        job,
        proposal.model,
        proposal.format,
        outcome,
        len(proposal.attempts),
        tuple(attempt.error for attempt in proposal.attempts if attempt.error),
        proposal.usage.input,
        proposal.usage.output,
        proposal.cost,
        round(proposal.seconds, 3),
        proposal.whole_tokens if outcome == "done" else None,
    )
    metrics.record(workspace.root, metric)
