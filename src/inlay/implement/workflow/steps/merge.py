"""Brings what was made in a worktree of its own back into the project, all at once."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.errors import NeedsDecision
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped
from inlay.model.change import Change, ChangeSet
from inlay.storage import Workspace


async def merge(state: State, job: Job) -> dict[str, Any]:
    """Land the result in the project where it stands in a worktree; a run in the project itself is there already."""
    if not job.options.worktree:
        return {}
    try:
        receipt = await asyncio.to_thread(_merged, state, job)
    except NeedsDecision as error:
        return stopped(f"{error}; the finished work is in {job.workspace.root}", error.exit_code)
    job.tell(state, "step", "merge", f"back in the project as change {receipt}" if receipt else "nothing to bring back")
    return {"notes": [*state.get("notes", []), *([f"merged as change {receipt}"] if receipt else [])]}


def _merged(state: State, job: Job) -> str:
    project = Workspace(job.root)
    first: dict[str, str] = {}
    for each in state.get("written", []):
        first.setdefault(each["path"], each["before"])
    found = [_change(path, before, project, job.workspace) for path, before in first.items()]
    changes = tuple(change for change in found if change is not None)
    return project.commit(ChangeSet(changes), summary=f"run {state['run']}: {state['document']}").id


def _change(path: str, before: str, project: Workspace, tree: Workspace) -> Change | None:
    """What must change in the project; nothing where an earlier try of this step has done it."""
    there, here = tree.read(tree.locate(path)), project.read(project.locate(path))
    wanted, now = there.digest if there else "", here.digest if here else ""
    if wanted == now:
        return None
    if now != before:
        raise NeedsDecision(f"{path} has changed in the project since the run began, so nothing was brought back")
    return Change(project.locate(path), here, there.text if there else None)
