"""Changes that nobody has decided about yet: put off as a plan, and carried out or dropped when a person answers."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.errors import EnvironmentFailure, NeedsDecision, SafeFileWriteError, StaleFile
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.model.audit import AuditEvent
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need, content_digest, fingerprint
from inlay.model.edit import Reading
from inlay.model.file import RepoPath
from inlay.model.pending import Pending, PendingChange
from inlay.model.receipt import Kind
from inlay.storage import Workspace
from inlay.storage.audit.audit_log import now
from inlay.storage.stores.pending_changes import Plans

_LENGTH = 12  # hexadecimal digits of a name: short enough to type, too long to collide


def put_off(blocked: SafeFileWriteError, workspace: Workspace, *, tool: str, kind: Kind = "land") -> Pending:
    """Keep changes that a person must decide about, bound to the files as they are and to the bytes they would get."""
    changes = blocked.changes
    assert isinstance(changes, ChangeSet)
    reasons = tuple(_reason(need) for need in blocked.needs if isinstance(need, Need))
    kept = tuple(_kept(change) for change in changes.changes if not change.is_noop)
    plan = Pending(fingerprint(changes)[:_LENGTH], now(), tool, kind, changes.format, reasons, kept)
    Plans(workspace.root).add(plan)
    return plan


def _reason(need: Need) -> str:
    return f"{need.path}: {need.headline}; {', '.join(reason.message for reason in need.reasons)}"


def _kept(change: Change) -> PendingChange:
    return PendingChange(
        str(change.path),
        str(change.target),
        change.before.digest if change.before else "",
        change.after,
        content_digest(change) or "",
        change.matches,
    )


def waiting(workspace: Workspace) -> tuple[Pending, ...]:
    """Every plan without an answer, the oldest first."""
    return Plans(workspace.root).all()


def find(id: str, workspace: Workspace) -> Pending:
    """The plan of that name; raises UnknownPlan."""
    return Plans(workspace.root).load(id)


def changes_of(plan: Pending, workspace: Workspace) -> ChangeSet:
    """What the plan would do to the files as they are; raises StaleFile where they are not what they were."""
    return ChangeSet(tuple(_change(change, workspace) for change in plan.changes), plan.format)


def _change(kept: PendingChange, workspace: Workspace) -> Change:
    path, target = RepoPath(kept.path), RepoPath(kept.target)
    file = workspace.read(path)
    if (file.digest if file else "") != kept.before:
        raise StaleFile(f"{path} changed since the plan was made; nothing was written, have it proposed again")
    change = Change(path, file, kept.after, kept.matches, target if target != path else None)
    if (content_digest(change) or "") != kept.digest:
        raise EnvironmentFailure(f"the plan for {path} is damaged; have it proposed again")
    return change


def carry_out(id: str, workspace: Workspace, *, by: str = "person") -> Landing:
    """Write what a plan says, now that a person agreed; the agreed bytes are the written bytes."""
    plan = find(id, workspace)
    changes = changes_of(plan, workspace)
    agreed = {change.path: change.digest for change in plan.changes}

    def approve(needs: tuple[Need, ...], _: ChangeSet) -> Sequence[Decision]:
        return [Decision(need.path, digest=agreed[str(need.path)], by=by) for need in needs]

    summary = f"{plan.tool}, plan {plan.id}"
    landing = finish(
        Reading(plan.format, ()), changes, workspace, LandOptions(), approve, kind=plan.kind, summary=summary
    )
    Plans(workspace.root).remove(plan.id)
    return landing


def drop(id: str, workspace: Workspace, *, by: str = "person") -> Pending:
    """Forget a plan, because a person said no; that they did stays in the log."""
    plan = find(id, workspace)
    workspace.record(
        *(AuditEvent("decision", change.path, decision="abort", by=by, detail=plan.id) for change in plan.changes)
    )
    Plans(workspace.root).remove(plan.id)
    return plan


def require_for(plan: Pending, tool: str) -> None:
    """Raise where an answer is given to another question than was asked."""
    if plan.tool != tool:
        raise NeedsDecision(f"plan {plan.id} was made for {plan.tool}, not for {tool}; nothing was written")
