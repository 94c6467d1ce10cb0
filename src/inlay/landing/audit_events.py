"""What a landing adds to the audit log besides the writes, which storage records itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inlay.model.audit import AuditEvent
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need
from inlay.model.file import RepoPath


def proposed(changes: ChangeSet) -> list[AuditEvent]:
    changed = [change for change in changes.changes if not change.is_noop]
    before = {change.path: change.before.digest for change in changed if change.before}
    return [
        AuditEvent("proposal", str(change.path), before=before.get(change.path, ""), after=change.digest)
        for change in changed
    ]


def decided(
    changes: Iterable[Change], waiting: Iterable[Need], decisions: Mapping[RepoPath, Decision]
) -> list[AuditEvent]:
    """Who decided what about which file, and why they had to; of two changes of one file the later counts."""
    by_path = {change.path: change for change in changes}
    reasons = {need.path: _reasons(need) for need in waiting}
    events = []
    for path, decision in decisions.items():
        change = by_path[path]
        events.append(
            AuditEvent(
                "decision",
                str(path),
                before=change.before.digest if change.before else "",
                after=change.digest,
                decision=decision.verdict if decision.verdict != "approve" else decision.strategy or "approve",
                by=decision.by,
                detail=reasons.get(path, ""),
            )
        )
    return events


def blocked(undecided: Iterable[Need]) -> list[AuditEvent]:
    return [AuditEvent("blocked", str(need.path), by="policy", detail=_reasons(need)) for need in undecided]


def aborted(waiting: Iterable[Need], by: str) -> list[AuditEvent]:
    return [AuditEvent("decision", str(need.path), decision="abort", by=by, detail=_reasons(need)) for need in waiting]


def _reasons(need: Need) -> str:
    return ", ".join(dict.fromkeys(reason.code for reason in need.reasons))
