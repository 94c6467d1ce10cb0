"""What speaks against an answer besides that it does not fit: tests that show nothing, or less than before."""

from __future__ import annotations

from inlay.implement.job import Job
from inlay.implement.state import Piece, State
from inlay.model.change import ChangeSet


def objection(piece: Piece, changes: ChangeSet, state: State, job: Job) -> str:
    """Why a proposed change must not be used; empty where nothing speaks against it."""
    return ""
