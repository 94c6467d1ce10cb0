"""Plans as a model and a person read them: what waits, why, and what it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inlay.tools.error_results import clean
from inlay.tools.tool import Outcome

if TYPE_CHECKING:
    from inlay.model.pending import Pending
    from inlay.storage import Workspace


def told(plan: Pending) -> Outcome:
    """For the model, whose call is not done."""
    message = (
        f"Nothing was written yet: a person must approve this first. They answer with `inlay approve {plan.id}` in a "
        "terminal. Do not look for a way around it; go on with other work or ask them."
    )
    waiting = {"kind": "needs_approval", "plan": plan.id, "message": message, "reasons": list(plan.reasons)}
    return Outcome(clean(waiting), is_error=True)


def question(plan: Pending, workspace: Workspace, most: int) -> str:
    """For the person: why they are asked, and the difference within so many bytes; raises where it is stale."""
    from inlay.landing import approve_pending
    from inlay.tools.results import unified

    changes = approve_pending.changes_of(plan, workspace).changes
    diff = "".join(unified(change, most // len(changes)) for change in changes)
    return "\n".join([*plan.reasons, "", str(clean(diff))])
