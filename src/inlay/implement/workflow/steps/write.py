"""Writes the next proposed change, or finds out who must decide about it first."""

from __future__ import annotations

import asyncio
from typing import Any

from inlay.engine import checks
from inlay.errors import NeedsDecision, ReplyRejected, SafeFileWriteError, StaleFile
from inlay.implement.workflow.land_piece import finish_piece, summary_of
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, ProposedPiece, State, WrittenPiece, stopped
from inlay.landing.land_options import LandOptions
from inlay.model.change import Change, ChangeSet
from inlay.storage.stores import change_codec

_MAX_STALE = 3  # a file that changes again and again belongs to somebody else


async def write(state: State, job: Job) -> dict[str, Any]:
    """Land the first proposal; what a killed try has written is not written again."""
    proposed, *rest = state["proposed"]
    piece = proposed["piece"]
    changes = change_codec.load(proposed["content"], job.folder(state))
    try:
        written = await asyncio.to_thread(_land, changes, piece, state, job)
    except SafeFileWriteError as error:
        return {"asked": [str(getattr(need, "path", "")) for need in error.needs], "decisions": ""}
    except StaleFile:
        return _stale(piece, rest, state, job)
    except NeedsDecision as error:
        return stopped(f"{piece['path']}: {error}", 4)
    except ReplyRejected as error:
        return stopped(f"{piece['path']}: {error}", error.exit_code)
    job.tell(state, "file", "write", written["action"], path=written["path"], ok=written["action"] != "skipped")
    notes = [*dict.fromkeys((*state.get("notes", []), *checks.unchecked(changes)))]
    written_so_far = [*state.get("written", []), written]
    return {"proposed": rest, "decisions": "", "asked": [], "written": written_so_far, "notes": notes}


def _land(changes: ChangeSet, piece: Piece, state: State, job: Job) -> WrittenPiece:
    change = changes.changes[0]
    written = _earlier_try(change, state, job)
    if written is None:
        options = LandOptions(threshold=job.options.threshold, force=job.options.force, yes=job.options.yes)
        landing = finish_piece(changes, state, job, options)
        before = change.before.digest if change.before else ""
        if landing.skipped:
            written = "skipped", "", before, before
        elif landing.receipt and landing.receipt.files:
            file = landing.receipt.files[0]
            written = file.action, landing.receipt.id, file.before, file.after
        else:
            now = landing.changes.changes[0]
            written = "unchanged", "", now.before.digest if now.before else "", now.digest
    action, receipt_id, before, after = written
    return WrittenPiece(
        path=piece["path"], kind=piece["kind"], action=action, receipt=receipt_id, before=before, after=after
    )


def _earlier_try(change: Change, state: State, job: Job) -> tuple[str, str, str, str] | None:
    """Action, receipt and digests of what an earlier try of this step wrote before its checkpoint was stored."""
    recorded = {piece["receipt"] for piece in state.get("written", [])}
    for receipt in job.workspace.history(8):
        if receipt.id in recorded or summary_of(state, change.path) not in receipt.summary:
            continue
        for file in receipt.files:
            if file.path == change.target:
                now = job.workspace.read(file.path)
                if (now.digest if now else "") == file.after:
                    return file.action, receipt.id, file.before, file.after
    return None


def _stale(piece: Piece, rest: list[ProposedPiece], state: State, job: Job) -> dict[str, Any]:
    """The file is no longer what the model was shown: ask again about the file as it is."""
    if piece["tries"] >= _MAX_STALE:
        return stopped(f"{piece['path']} keeps changing during the run; another program writes to it", 4)
    job.tell(state, "note", "write", "changed since the request, asking again", path=piece["path"], ok=False)
    again: list[Piece] = [{**piece, "tries": piece["tries"] + 1}, *(other["piece"] for other in rest)]
    return {"proposed": [], "decisions": "", "asked": [], "queue": [*again, *state["queue"]]}
