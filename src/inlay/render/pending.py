"""A change that waits for approval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inlay.model.change import Change
from inlay.model.pending import Pending
from inlay.render.diff import unified_diff


def pending_json(pending: Pending) -> dict[str, Any]:
    return {
        "plan": pending.id,
        "time": pending.time,
        "tool": pending.tool,
        "reasons": list(pending.reasons),
        "paths": [change.path for change in pending.changes],
    }


def pending_brief(pending: Pending) -> dict[str, Any]:
    message = (
        f"Nothing was written yet: the user must approve this first, with `inlay approve {pending.id}` in a terminal. "
        "Do not look for a way around it; continue with other work or ask them."
    )
    return {"kind": "needs_approval", "plan": pending.id, "message": message, "reasons": list(pending.reasons)}


def pending_question(pending: Pending, changes: Sequence[Change], limit: int) -> str:
    """What a person reads before they decide: the reasons, and the diff within `limit` bytes."""
    diff = "".join(unified_diff(change, limit // len(changes)) for change in changes)
    return "\n".join([*pending.reasons, "", diff])
