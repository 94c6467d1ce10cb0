"""What the commands about commits share when they ask a model: opening it, showing how far it has come, closing up."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import click

from inlay.cli.output.progress import ProgressLine
from inlay.commits.session import Desk, desk
from inlay.llm import open_model
from inlay.model.settings import Settings

T = TypeVar("T")

RECORD = click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the answers down.")
IGNORE = click.option(
    "--ignore",
    multiple=True,
    metavar="GLOB",
    help="Leave out the diffs of files, as in .gitignore; or @lock, @generated.",
)


def at_desk(root: str, settings: Settings, record: str | None, progress: ProgressLine) -> Desk:
    """A desk with the model that is configured; what is worth knowing about it is said."""
    model = open_model(None, settings, os.environ, record=record)
    for note in model.notes:
        progress.line(progress.paint(f"note: {note}", "yellow"))
    return desk(root, model, settings)


def all_of(
    items: AsyncIterator[T], at: Desk, job: str, total: int, progress: ProgressLine, take: Callable[[T], bool]
) -> None:
    """Take every item as it comes; `take` says whether it went well."""

    async def run() -> None:
        good, done = True, 0
        try:
            async for item in items:
                done += 1
                good = take(item) and good
                progress.status(f"{done} of {total}: {_spent(at)}")
        finally:
            at.close(job, "done" if good and done == total else "failed")

    progress.step(f"asking {at.model.info.name} about {total} {'commit' if total == 1 else 'commits'}")
    asyncio.run(run())
    progress.line(progress.paint(f"{at.model.info.name}: {_spent(at)}", dim=True))


def _spent(at: Desk) -> str:
    usage, cost = at.spending.usage, at.spending.cost
    requests = "1 request" if at.requests == 1 else f"{at.requests} requests"
    money = "" if cost is None else f", ${cost:.4f}"
    return f"{requests}, {usage.input:,} tokens in and {usage.output:,} out{money}"
