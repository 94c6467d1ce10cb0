"""Takes a task from its words to the files of a project: has a model make the change, and lands it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from inlay.errors import InlayError
from inlay.generation.events import Event, Landed, OnEvent, unheard
from inlay.generation.proposal import Proposal
from inlay.generation.propose import propose
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.model.decision import Approve
from inlay.model.task import GenerateOptions, Task
from inlay.storage import Workspace

__all__ = ["Proposal", "agenerate", "generate", "generate_many", "land_proposal", "propose", "stream"]


def land_proposal(
    proposal: Proposal,
    workspace: Workspace,
    options: LandOptions | None = None,
    approve: Approve | None = None,
) -> Landing:
    """Decide about a proposal and write it: all of it, or nothing; raises StaleFile where a file is no longer what
    the model was shown."""
    return finish(proposal.reading, proposal.changes, workspace, options or LandOptions(), approve)


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
    """Have a model make a change and land it; `model` may be a name, or None for the one that is configured."""
    opened = _opened(model, workspace)
    proposal = await propose(task, workspace, opened, options, on_event=on_event, spending=spending, gate=gate)
    landing = land_proposal(proposal, workspace, land_options, approve)
    (on_event or unheard)(Landed(landing))
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
    """Many tasks at once, with at most `options.concurrency` requests in flight and one account for their limits.

    Each task lands by itself, all or nothing; one that fails is told in its place and keeps no other from landing.
    """
    options = options or GenerateOptions()
    opened, gate, spending = _opened(model, workspace), asyncio.Semaphore(options.concurrency), Spending(options.limits)

    async def one(task: Task) -> Landing | InlayError:
        try:
            return await agenerate(
                task,
                workspace,
                opened,
                options,
                land_options=land_options,
                approve=approve,
                on_event=on_event,
                spending=spending,
                gate=gate,
            )
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
    """`agenerate` as its events, the landing last; leaving the loop early ends the work, and nothing is written."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    working = asyncio.ensure_future(
        agenerate(
            task,
            workspace,
            model,
            options,
            land_options=land_options,
            approve=approve,
            on_event=events.put_nowait,
        )
    )
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
    from inlay.llm.models.open_named import model_for

    return model_for(model, workspace.root)
