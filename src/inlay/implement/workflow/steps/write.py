"""Writes the next proposed change, or finds out who must decide about it first."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.errors import NeedsDecision, ReplyRejected, SafeFileWriteError, StaleFile
from inlay.implement.workflow.changes_codec import kept
from inlay.implement.workflow.land_piece import finish_piece, summary_of
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, ProposedPiece, State, WrittenPiece, stopped
from inlay.landing.land import Landing
from inlay.landing.land_options import LandOptions
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import content_digest
from inlay.model.receipt import Written
from inlay.storage import Workspace

_MOST_STALE = 3  # a file that changes again and again belongs to somebody else


async def write(state: State, job: Job) -> dict[str, Any]:
    """Land the first of the proposals; what this did before it was killed is not done again."""
    proposed, *rest = state["proposed"]
    piece = proposed["piece"]
    changes = kept(proposed["content"], job.folder(state))
    try:
        done = await asyncio.to_thread(_landed, changes, proposed, state, job)
    except SafeFileWriteError as error:
        return _undecided(error)
    except StaleFile:
        return _stale(piece, rest, state, job)
    except NeedsDecision as error:
        return stopped(f"{piece['path']}: {error}", 4)
    except ReplyRejected as error:
        return stopped(f"{piece['path']}: {error}", error.exit_code)
    job.tell(state, "file", "write", done["action"], path=done["path"], ok=done["action"] != "skipped")
    return {"proposed": rest, "decisions": "", "asked": [], "written": [*state.get("written", []), done]}


def _landed(changes: ChangeSet, proposed: ProposedPiece, state: State, job: Job) -> WrittenPiece:
    change = changes.changes[0]
    earlier, earlier_receipt = _earlier(change, state, job.workspace)
    if earlier is not None:
        return _told(proposed["piece"], change, earlier.action, earlier_receipt, earlier.after)
    options = LandOptions(threshold=job.options.threshold, force=job.options.force, yes=job.options.yes)
    landing = finish_piece(changes, state, job, options)
    return _result(landing, proposed["piece"], change)


def _earlier(change: Change, state: State, workspace: Workspace) -> tuple[Written | None, str]:
    """What an earlier try of this very step has written, before it could say so, and the number of its receipt."""
    told = {each["receipt"] for each in state.get("written", [])}
    for receipt in workspace.history(8):
        if receipt.id in told or summary_of(state, change.path) not in receipt.summary:
            continue
        for file in receipt.files:
            if file.path == change.target and file.before == _before(change) and _stands(file, workspace):
                return file, receipt.id
    return None, ""


def _stands(file: Written, workspace: Workspace) -> bool:
    now = workspace.read(file.path)
    return (now.digest if now else "") == file.after


def _result(landing: Landing, piece: Piece, change: Change) -> WrittenPiece:
    receipt = landing.receipt
    files = receipt.files if receipt else ()
    if landing.skipped:
        return _told(piece, change, "skipped", "", _before(change))
    if not files:
        return _told(piece, change, "unchanged", "", content_digest(change))
    return _told(piece, change, files[0].action, receipt.id if receipt else "", files[0].after)


def _before(change: Change) -> str:
    return change.before.digest if change.before else ""


def _told(piece: Piece, change: Change, action: str, receipt: str, after: str | None) -> WrittenPiece:
    return {
        "path": piece["path"],
        "kind": piece["kind"],
        "action": action,
        "receipt": receipt,
        "before": _before(change),
        "after": after or "",
    }


def _undecided(error: SafeFileWriteError) -> dict[str, Any]:
    return {"asked": [str(getattr(need, "path", "")) for need in error.needs], "decisions": ""}


def _stale(piece: Piece, rest: list[ProposedPiece], state: State, job: Job) -> dict[str, Any]:
    """The file is no longer what the model was shown: ask again about the file as it is."""
    if piece["tries"] >= _MOST_STALE:
        return stopped(f"{piece['path']} changes while it is being worked on; somebody else writes to it", 4)
    job.tell(state, "note", "write", "changed meanwhile, so it is asked for again", path=piece["path"], ok=False)
    again: list[Piece] = [{**piece, "tries": piece["tries"] + 1}, *(each["piece"] for each in rest)]
    return {"proposed": [], "decisions": "", "asked": [], "queue": [*again, *state["queue"]]}
