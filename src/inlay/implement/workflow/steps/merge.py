"""Merges the files of a run's worktree back into the project, all at once."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.errors import NeedsDecision
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, stopped
from inlay.model.change import Change, ChangeSet
from inlay.storage import Workspace


async def merge(state: State, job: Job) -> dict[str, Any]:
    """A run without a worktree has written into the project already."""
    if not job.options.worktree:
        return {}
    try:
        receipt = await asyncio.to_thread(_merge_files, state, job)
    except NeedsDecision as error:
        return stopped(f"{error}; the finished work is in {job.workspace.root}", error.exit_code)
    job.tell(state, "step", "merge", f"merged into the project as change {receipt}" if receipt else "nothing to merge")
    return {"notes": [*state.get("notes", []), *([f"merged as change {receipt}"] if receipt else [])]}


def _merge_files(state: State, job: Job) -> str:
    project, tree = Workspace(job.root), job.workspace
    originals = {piece["path"]: piece["before"] for piece in reversed(state.get("written", []))}
    changes = []
    for path in dict.fromkeys(piece["path"] for piece in state.get("written", [])):
        new, old = tree.read(tree.locate(path)), project.read(project.locate(path))
        wanted, now = new.digest if new else "", old.digest if old else ""
        if wanted == now:
            continue  # an earlier try of this step has merged it
        if now != originals[path]:
            raise NeedsDecision(f"{path} has changed in the project since the run began, so nothing was merged")
        changes.append(Change(project.locate(path), old, new.text if new else None))
    return project.commit(ChangeSet(tuple(changes)), summary=f"run {state['run']}: {state['document']}").id
