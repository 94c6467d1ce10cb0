"""Takes a task to the files of a project: has a model make the change, and applies it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from functools import partial

from inlay.errors import InlayError
from inlay.generation.events import Event, Landed, OnEvent
from inlay.generation.propose import Proposal, propose
from inlay.generation.unasked_losses import with_unasked_losses
from inlay.landing.approval import run_checks
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.landing.stale_changes import brought_up_to_date
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.model.decision import Approve
from inlay.model.task import GenerateOptions, Task
from inlay.storage import Workspace

__all__ = ["Proposal", "agenerate", "generate", "generate_many", "land_proposal", "propose", "stream"]


def land_proposal(
    proposal: Proposal, workspace: Workspace, options: LandOptions | None = None, approve: Approve | None = None
) -> Landing:
    """Decide about a proposal and write it: all of it, or nothing.

    A file that has changed since the model was shown it is merged; raises StaleFile where that is a conflict.
    """
    changes = brought_up_to_date(proposal.changes, workspace)
    findings = proposal.findings
    if proposal.checked != changes:
        asked = f"{proposal.task.instruction}\n{proposal.task.notes}"
        findings = with_unasked_losses(changes, run_checks(changes, all_checks=True), asked)
    return finish(proposal.reading, changes, workspace, options or LandOptions(), approve, findings=findings)


async def agenerate(
    task: Task,
    workspace: Workspace,
    model: Model | str | None = None,
    options: GenerateOptions | None = None,
    *,
    land_options: LandOptions | None = None,
    approve: Approve | None = None,
    on_event: OnEvent | None = None,
    spending: Spending | None = None,
    gate: asyncio.Semaphore | None = None,
) -> Landing:
    """Have a model make a change and apply it; `model` may be a name, or None for the configured one."""
    opened = _opened(model, workspace)
    proposal = await propose(task, workspace, opened, options, on_event=on_event, spending=spending, gate=gate)
    landing = land_proposal(proposal, workspace, land_options, approve)
    if on_event is not None:
        on_event(Landed(landing))
    return landing


def generate(
    task: Task,
    workspace: Workspace,
    model: Model | str | None = None,
    options: GenerateOptions | None = None,
    *,
    land_options: LandOptions | None = None,
    approve: Approve | None = None,
    on_event: OnEvent | None = None,
) -> Landing:
    """`agenerate` for callers without an event loop."""
    return asyncio.run(
        agenerate(task, workspace, model, options, land_options=land_options, approve=approve, on_event=on_event)
    )


async def generate_many(
    tasks: Sequence[Task],
    workspace: Workspace,
    model: Model | str | None = None,
    options: GenerateOptions | None = None,
    *,
    land_options: LandOptions | None = None,
    approve: Approve | None = None,
    on_event: OnEvent | None = None,
) -> tuple[Landing | InlayError, ...]:
    """Many tasks at once, with at most `options.concurrency` requests in flight and shared limits.

    Each task is applied by itself, all or nothing; the error of a failed one is in its place in the result.
    """
    options = options or GenerateOptions()
    opened, gate, spending = _opened(model, workspace), asyncio.Semaphore(options.concurrency), Spending(options.limits)

    run = partial(agenerate, land_options=land_options, approve=approve, on_event=on_event)

    async def one(task: Task) -> Landing | InlayError:
        try:
            return await run(task, workspace, opened, options, spending=spending, gate=gate)
        except InlayError as error:
            return error

    return tuple(await asyncio.gather(*map(one, tasks)))


async def stream(
    task: Task,
    workspace: Workspace,
    model: Model | str | None = None,
    options: GenerateOptions | None = None,
    *,
    land_options: LandOptions | None = None,
    approve: Approve | None = None,
) -> AsyncGenerator[Event, None]:
    """`agenerate` as its events, the landing last; leaving the loop early cancels it, and nothing is written."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    run = partial(agenerate, land_options=land_options, approve=approve, on_event=events.put_nowait)
    working = asyncio.ensure_future(run(task, workspace, model, options))
    working.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        await working
    finally:
        working.cancel()


def _opened(model: Model | str | None, workspace: Workspace) -> Model:
    if isinstance(model, Model):
        return model
    from inlay.llm.models.open_model import model_for

    return model_for(model, workspace.root)
