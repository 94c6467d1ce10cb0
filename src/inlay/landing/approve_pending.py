"""Changes that wait for a person's approval: stored as a plan, and written or dropped when the person answers."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.errors import EnvironmentFailure, NeedsDecision, SafeFileWriteError, StaleFile
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.model.allowance import EVERYTHING
from inlay.model.audit import AuditEvent
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need, fingerprint
from inlay.model.edit import Reading
from inlay.model.file import RepoPath
from inlay.model.pending import Pending, PendingChange
from inlay.model.receipt import Kind
from inlay.storage import Workspace
from inlay.storage.audit_log import now
from inlay.storage.stores.pending_changes import Plans

_LENGTH = 12  # hexadecimal digits of an id: short enough to type, too long to collide


def put_off(blocked: SafeFileWriteError, workspace: Workspace, *, tool: str, kind: Kind = "land") -> Pending:
    """Store changes that need a decision, bound to the files as they are and to the bytes they would get."""
    if blocked.changes is None:
        raise blocked
    reasons = tuple(
        f"{need.path}: {need.headline}; {', '.join(reason.message for reason in need.reasons)}"
        for need in blocked.needs
    )
    changes = tuple(
        PendingChange(
            str(change.path),
            str(change.target),
            change.before.digest if change.before else "",
            change.after,
            change.digest,
            change.matches,
            change.executable,
            change.woven,
        )
        for change in blocked.changes.changes
        if not change.is_noop
    )
    plan = Pending(fingerprint(blocked.changes)[:_LENGTH], now(), tool, kind, blocked.changes.format, reasons, changes)
    Plans(workspace.root).add(plan)
    return plan


def waiting(workspace: Workspace) -> tuple[Pending, ...]:
    """Every plan without an answer, the oldest first."""
    return Plans(workspace.root).all()


def find(id: str, workspace: Workspace) -> Pending:
    """The plan with that id; raises UnknownPlan."""
    return Plans(workspace.root).load(id)


def changes_of(plan: Pending, workspace: Workspace) -> ChangeSet:
    """The changes of a plan on the files as they are; raises StaleFile where a file has changed since."""
    changes = []
    for pending in plan.changes:
        path, target = RepoPath(pending.path), RepoPath(pending.target)
        file = workspace.read(path)
        if (file.digest if file else "") != pending.before:
            raise StaleFile(f"{path} has changed since the plan was made; nothing was written, have it proposed again")
        move_to = target if target != path else None
        change = Change(path, file, pending.after, pending.matches, move_to, pending.executable, pending.woven)
        if change.digest != pending.digest:
            raise EnvironmentFailure(f"the plan for {path} is damaged; have it proposed again")
        changes.append(change)
    # The plan was checked when it was made, with what was allowed then.
    return ChangeSet(tuple(changes), plan.format, allow=EVERYTHING)


def carry_out(id: str, workspace: Workspace, *, by: str = "person") -> Landing:
    """Write an approved plan; the approved bytes are the written bytes."""
    plan = find(id, workspace)
    digests = {change.path: change.digest for change in plan.changes}

    def approve(needs: tuple[Need, ...], _: ChangeSet) -> Sequence[Decision]:
        return [Decision(need.path, digest=digests[str(need.path)], by=by) for need in needs]

    reading, changes, summary = Reading(plan.format, ()), changes_of(plan, workspace), f"{plan.tool}, plan {plan.id}"
    landing = finish(reading, changes, workspace, LandOptions(), approve, kind=plan.kind, summary=summary)
    Plans(workspace.root).remove(plan.id)
    return landing


def drop(id: str, workspace: Workspace, *, by: str = "person") -> Pending:
    """Remove a denied plan; the audit log keeps the decision."""
    plan = find(id, workspace)
    paths = [change.path for change in plan.changes]
    workspace.record(*(AuditEvent("decision", path, decision="abort", by=by, detail=plan.id) for path in paths))
    Plans(workspace.root).remove(plan.id)
    return plan


def require_for(plan: Pending, tool: str) -> None:
    """Raise where the answer belongs to the call of another tool."""
    if plan.tool != tool:
        raise NeedsDecision(f"plan {plan.id} was made for {plan.tool}, not for {tool}; nothing was written")
