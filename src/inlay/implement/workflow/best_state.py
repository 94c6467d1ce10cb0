"""The state of a run's files: put aside, and put back when what came after it was worse."""

from __future__ import annotations

from collections.abc import Mapping

from inlay.errors import StaleFile
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, WrittenPiece
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.storage.stores.runs import RunFolder


def snapshot(state: State, job: Job) -> dict[str, str]:
    """Every file that the run has written, by the digest under which the run's folder keeps its bytes."""
    folder = job.folder(state)
    paths = dict.fromkeys(each["path"] for each in state.get("written", []) if each["action"] != "skipped")
    return {path: _put(job.workspace.read(job.workspace.locate(path)), folder) for path in paths}


def restore(files: Mapping[str, str], state: State, job: Job) -> list[WrittenPiece]:
    """Put files back as they were; what is so already is left alone, so that a second call does nothing."""
    folder, workspace = job.folder(state), job.workspace
    changes: dict[str, Change] = {}
    for path, digest in files.items():
        located = workspace.locate(path)
        now = workspace.read(located)
        if (now.digest if now else "") != digest:
            _require_ours(path, now, state)
            changes[path] = Change(located, now, _text(located, digest, folder))
    if not changes:
        return []
    summary = f"run {state['run']}: back to the best state"
    receipt = workspace.commit(ChangeSet(tuple(changes.values())), summary=summary)
    kinds = {each["path"]: each["kind"] for each in state.get("written", [])}
    return [
        {
            "path": path,
            "kind": kinds[path],
            "action": "restored",
            "receipt": receipt.id,
            "before": change.before.digest if change.before else "",
            "after": files[path],
        }
        for path, change in changes.items()
    ]


def _require_ours(path: str, now: File | None, state: State) -> None:
    ours = {each["after"] for each in state.get("written", []) if each["path"] == path}
    if (now.digest if now else "") not in ours:
        raise StaleFile(f"{path} was changed by somebody else while the run was going on, so it is left as it is")


def _put(file: File | None, folder: RunFolder) -> str:
    return "" if file is None else folder.put(file.encoding.encode(file.text))


def _text(path: RepoPath, digest: str, folder: RunFolder) -> str | None:
    return None if not digest else File.of(str(path), folder.get(digest)).text
