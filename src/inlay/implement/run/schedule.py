"""Schedules runs: one after the other where documents share files, concurrently where they do not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from inlay.errors import InlayError
from inlay.git import worktree
from inlay.implement.run.drive import Ending, drive, stored_state
from inlay.implement.spec.document import TestPlan
from inlay.implement.spec.parse_document import parse
from inlay.implement.testing import run_suite
from inlay.implement.workflow.run_context import Job, spent
from inlay.implement.workflow.run_events import OnRunEvent
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.model.answer import Answer, Limits, Usage
from inlay.model.decision import Approve
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage import Workspace
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder


@dataclass(frozen=True, slots=True)
class Launch:
    """What all runs of one command share."""

    root: str
    open: Callable[[str | None], Model]  #: the model of a name, or the configured one
    settings: Settings
    on_event: OnRunEvent
    ask: Approve | None = None
    spending: Spending = field(default_factory=Spending)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class Document:
    name: str  #: relative to the root where it is inside
    text: str


def limits(options: RunOptions, settings: Settings) -> Limits:
    """What all runs of a command may use together."""
    return Limits(tokens=options.max_tokens, cost=options.max_cost, seconds=settings.number("max_seconds"))


async def implement_all(
    documents: Sequence[Document], launch: Launch, options: RunOptions, *, jobs: int = 1
) -> list[Ending]:
    """Implement documents, at most `jobs` at the same time; one that shares files with an earlier one waits for it.

    Concurrent runs have a worktree each: the tests of one must not see the half-finished work of another.
    """
    if jobs > 1 and len(documents) > 1 and worktree.is_possible(launch.root):
        options = replace(options, worktree=True)
    elif not options.worktree:
        jobs = 1
    folders = [runs.create(launch.root, document.name, document.text, options) for document in documents]
    headings = launch.settings.table("implement.headings")
    specs = [parse(document.text, document.name, headings) for document in documents]
    touched = [{*(file.path for file in spec.files), *spec.test_files} for spec in specs]
    tasks: list[asyncio.Task[Ending]] = []
    places = asyncio.Semaphore(jobs)

    async def in_turn(folder: RunFolder, before: Sequence[asyncio.Task[Ending]]) -> Ending:
        await asyncio.gather(*before)
        async with places:
            return await go_on(folder, launch)

    shared = [[at for at in range(number) if touched[at] & touched[number]] for number in range(len(folders))]
    if options.worktree:
        first = [folder for folder, earlier in zip(folders, shared, strict=True) if not earlier][:jobs]
        await asyncio.to_thread(_make_worktrees, first, launch.root)
    for folder, earlier in zip(folders, shared, strict=True):
        tasks.append(asyncio.create_task(in_turn(folder, [tasks[at] for at in earlier])))
    endings = list(await asyncio.gather(*tasks))
    return endings + await _together(endings, launch) if options.worktree else endings


def _make_worktrees(folders: Sequence[RunFolder], root: str) -> None:
    """Before any of these runs merges its files: what one sees must not depend on how quick another is."""
    for folder in folders:
        with suppress(InlayError):  # the run itself tries again, and reports it
            worktree.ensure(root, folder.tree)


async def _together(endings: Sequence[Ending], launch: Launch) -> list[Ending]:
    """Documents that pass individually can fail together: one more ending where they do."""
    merged = [ending.report for ending in endings if ending.status == "green" and ending.report]
    if len(merged) < 2:
        return []
    suite = await asyncio.to_thread(run_suite.run_tests, launch.root, run_suite.setup(TestPlan(), launch.settings))
    failing = sorted(suite.failing - {test for report in merged for test in report.failing_before})
    if not failing:
        return []
    reason = f"every document passes by itself, but together {len(failing)} tests fail: {', '.join(failing[:5])}"
    return [Ending("", "stopped", None, None, 1, reason, "all documents together")]


async def go_on(folder: RunFolder, launch: Launch, answer: Any = None) -> Ending:
    """Start or resume one run; an error that stops this process becomes an ending that can be resumed."""
    try:
        job = await asyncio.to_thread(prepare, folder, launch)
        # What the run used before it was interrupted counts as well.
        tokens, cost = spent(await stored_state(folder, job))
        if tokens:
            job.spending.charge(Answer("", "end", Usage(input=tokens), cost))
        ending = await drive(folder, job, answer)
    except InlayError as error:
        return Ending(folder.id, "interrupted", None, None, error.exit_code, str(error), folder.describe().document)
    if ending.status == "green" and folder.describe().options.worktree:
        await asyncio.to_thread(worktree.remove, launch.root, folder.tree)
    return ending


def prepare(folder: RunFolder, launch: Launch) -> Job:
    """Everything a run needs besides its state."""
    options = folder.describe().options
    place = worktree.ensure(launch.root, folder.tree) if options.worktree else launch.root
    return Job(
        root=launch.root,
        workspace=Workspace(place),
        model=launch.open(options.model),
        settings=launch.settings,
        options=options,
        spending=launch.spending,
        ask=None if options.auto else launch.ask,
        asking=launch.asking,
        on_event=launch.on_event,
    )
