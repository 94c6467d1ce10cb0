"""Runs the user's check command on a copy of the result."""

from __future__ import annotations

import asyncio
import threading

from inlay.errors import EditsRefused, Misfit
from inlay.generation.evaluate import Rejected
from inlay.model.change import ChangeSet
from inlay.model.task import GenerateOptions
from inlay.processes import command
from inlay.processes.command import Finished
from inlay.prompts.retry_feedback import Feedback
from inlay.storage import Workspace
from inlay.storage.scratch_copy import environment, scratch


async def failure(line: str, changes: ChangeSet, workspace: Workspace, options: GenerateOptions) -> Rejected | None:
    """Why the command fails on the result; None where it succeeds."""
    stop = threading.Event()

    def run() -> Finished:
        with scratch(workspace, changes) as folder:
            return command.run(
                line, cwd=str(folder), timeout=options.check_timeout, environ=environment(folder), stop=stop
            )

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
