"""What others have against a result: the caller, and the person's own command, which runs on a copy of it."""

from __future__ import annotations

import asyncio
import threading

from inlay.errors import EditsRefused, Misfit
from inlay.generation.evaluate import Fault
from inlay.model.change import ChangeSet
from inlay.model.task import GenerateOptions
from inlay.processes import command
from inlay.processes.command import Finished
from inlay.prompts.retry_feedback import Complaint
from inlay.storage import Workspace
from inlay.storage.scratch_copy import environment, scratch


async def failure(line: str, changes: ChangeSet, workspace: Workspace, options: GenerateOptions) -> Fault | None:
    """What the command has against the result; None where it succeeds."""
    stop = threading.Event()
    try:
        finished = await asyncio.to_thread(_run, changes, workspace, line, options.check_timeout, stop)
    except asyncio.CancelledError:
        stop.set()
        raise
    return None if finished.ok else _fault(line, finished)


def objected(misfit: Misfit) -> Fault:
    """What somebody has against a result that fits."""
    summary = "Your edits fit, but the result will not do."
    return Fault(misfit.code, misfit.message, Complaint(summary, (misfit,)), EditsRefused(misfit))


def _run(changes: ChangeSet, workspace: Workspace, line: str, timeout: float, stop: threading.Event) -> Finished:
    with scratch(workspace, changes) as folder:
        return command.run(line, cwd=str(folder), timeout=timeout, environ=environment(folder), stop=stop)


def _fault(line: str, finished: Finished) -> Fault:
    how = f"took longer than {finished.seconds:.0f} s" if finished.timed_out else f"ended with {finished.code}"
    last = next((each.strip() for each in reversed(finished.output.split("\n")) if each.strip()), "")
    message = f"the check `{line}` {how}{': ' if last else ''}{last}"
    misfit = Misfit("check", f"the check `{line}` {how}", "Mend the change so that the check succeeds.")
    summary = f"Your edits fit, but with them the command `{line}` {how}. This is what it printed:"
    return Fault("check", message, Complaint(summary, output=finished.output), EditsRefused(misfit))
