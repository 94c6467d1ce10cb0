"""Makes a proposal of a task: conversations with a model until all of them fit, together, and nothing is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TypeAlias

from inlay.errors import InlayError, Misfit
from inlay.generation import check_command, missing_edits, usage
from inlay.generation.context import Briefing, brief
from inlay.generation.conversation import Asking, Conversation, log
from inlay.generation.evaluate import Accepted, Fault
from inlay.generation.events import OnEvent, Proposed, Validating, unheard
from inlay.generation.proposal import Proposal
from inlay.generation.request_mode import WHOLE, edit_format, groups
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.llm.tokens import counter
from inlay.model.answer import ModelInfo
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.prompt import Prompt
from inlay.model.task import GenerateOptions, Task
from inlay.prompts import edit_request as change
from inlay.prompts.blocks import Blocks
from inlay.storage import Workspace
from inlay.storage.state.secrets import prompt_key

#: Looks at a result and says what is wrong with it; None where nothing is.
Objection: TypeAlias = Callable[[ChangeSet], Misfit | None]


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

    Raises ImplementationError when every attempt is spent, ProviderFailure where asking again is no use, and
    LimitReached where a limit ends it. `spending` and `gate` may be shared by many tasks. `objection` is a check of the
    caller's own: what it has against a result is told to the model, and costs an attempt like any other fault.
    """
    options = options or GenerateOptions()
    spending = spending or Spending(options.limits)
    gate = gate or asyncio.Semaphore(options.concurrency)
    blocks, count = Blocks(prompt_key(workspace.root)), counter(model.info)
    asking = Asking(model, options, spending, blocks, count, gate, on_event or unheard, backoff or Backoff(), sleep)
    started = monotonic()
    talks = _conversations(brief(task, workspace, options, model.info), asking)
    try:
        fitting = await _settled(talks, workspace, asking, objection)
    except (InlayError, asyncio.CancelledError):
        usage.failed(workspace, job, _proposal(task, talks, [], asking, monotonic() - started))
        raise
    proposal = _proposal(task, talks, fitting, asking, monotonic() - started)
    usage.done(workspace, job, proposal)
    asking.emit(Proposed(proposal))
    return proposal


def first_prompts(task: Task, workspace: Workspace, info: ModelInfo, options: GenerateOptions) -> tuple[Prompt, ...]:
    """Exactly what would be sent first, a prompt for each request."""
    blocks, briefing = Blocks(prompt_key(workspace.root)), brief(task, workspace, options, info)
    format = edit_format(info, options)
    grouped = groups(briefing.targets, info, counter(info))
    return tuple(change.prompt(briefing.work(group, format), blocks) for group in grouped)


def _conversations(briefing: Briefing, asking: Asking) -> tuple[Conversation, ...]:
    info = asking.model.info
    format = edit_format(info, asking.options)
    grouped = groups(briefing.targets, info, asking.count)
    label = briefing.task.label or "edit"
    return tuple(
        Conversation(briefing.work(group, format), group, asking, label if len(grouped) == 1 else f"{label} {n}")
        for n, group in enumerate(grouped, 1)
    )


async def _settled(
    talks: Sequence[Conversation], workspace: Workspace, asking: Asking, objection: Objection | None
) -> list[Accepted]:
    """An answer of every conversation that fits, and together pass the person's command."""
    while True:
        fitting = await _all([talk.settle() for talk in talks])
        fault = await _fault(_together(fitting), workspace, asking, objection)
        if fault is None:
            return fitting
        for talk, each in zip(talks, fitting, strict=True):
            talk.reject(replace(fault, owed=missing_edits.all_of(each.reading.parts)))


async def _fault(changes: ChangeSet, workspace: Workspace, asking: Asking, objection: Objection | None) -> Fault | None:
    """What the caller or the person's command has against a result."""
    if objection is not None and (misfit := objection(changes)) is not None:
        return check_command.objected(misfit)
    if asking.options.check is None:
        return None
    log.debug("running %s on a copy of the result", asking.options.check)
    asking.emit(Validating(asking.options.check))
    return await check_command.failure(asking.options.check, changes, workspace, asking.options)


async def _all(work: Sequence[Awaitable[Accepted]]) -> list[Accepted]:
    """All results; the first failure ends the others."""
    running = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*running))
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _together(fitting: Sequence[Accepted]) -> ChangeSet:
    return ChangeSet(
        tuple(change for each in fitting for change in each.changes.changes),
        fitting[0].changes.format if fitting else "",
        tuple(warning for each in fitting for warning in each.changes.warnings),
    )


def _proposal(
    task: Task, talks: Sequence[Conversation], fitting: Sequence[Accepted], asking: Asking, seconds: float
) -> Proposal:
    changes = _together(fitting)
    attempts = tuple(attempt for talk in talks for attempt in talk.attempts)
    format = edit_format(asking.model.info, asking.options)
    by_edits = any(talk.mode == "edits" for talk in talks)
    return Proposal(
        task,
        changes,
        Reading(changes.format or format, tuple(part for each in fitting for part in each.reading.parts)),
        tuple(finding for each in fitting for finding in each.findings),
        attempts,
        usage.usage_of(attempts),
        usage.cost_of(attempts),
        seconds,
        "edits" if by_edits else "whole",
        format if by_edits else WHOLE,
        asking.model.info.name,
        usage.whole_tokens(changes, usage.usage_of(attempts), sum(talk.answered for talk in talks)),
    )
