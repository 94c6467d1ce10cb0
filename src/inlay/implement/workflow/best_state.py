"""Snapshots of a run's files, restored when a correction made things worse."""

from __future__ import annotations

from collections.abc import Mapping

from inlay.errors import StaleFile
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, WrittenPiece
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File


def snapshot(state: State, job: Job) -> dict[str, str]:
    """Every file that the run has written, by the digest under which the run's folder stores its bytes."""
    digests = {}
    for path in dict.fromkeys(piece["path"] for piece in state.get("written", []) if piece["action"] != "skipped"):
        file = job.workspace.read(job.workspace.locate(path))
        digests[path] = job.folder(state).put(file.encoding.encode(file.text)) if file else ""
    return digests


def restore(files: Mapping[str, str], state: State, job: Job) -> list[WrittenPiece]:
    """A file that is unchanged is left alone, so that a second call does nothing."""
    folder, workspace = job.folder(state), job.workspace
    changes: dict[str, Change] = {}
    for path, digest in files.items():
        located = workspace.locate(path)
        now = workspace.read(located)
        current = now.digest if now else ""
        if current == digest:
            continue
        if current not in {piece["after"] for piece in state.get("written", []) if piece["path"] == path}:
            raise StaleFile(f"{path} was changed by another program during the run, so it is left as it is")
        changes[path] = Change(located, now, File.of(path, folder.get(digest)).text if digest else None)
    if not changes:
        return []
    summary = f"run {state['run']}: back to the best state"
    receipt = workspace.commit(ChangeSet(tuple(changes.values())), summary=summary)
    kinds = {piece["path"]: piece["kind"] for piece in state.get("written", [])}
    before = {path: change.before.digest if change.before else "" for path, change in changes.items()}
    return [
        WrittenPiece(
            path=path, kind=kinds[path], action="restored", receipt=receipt.id, before=digest, after=files[path]
        )
        for path, digest in before.items()
    ]
