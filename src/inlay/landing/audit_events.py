"""What a landing adds to the audit log besides the writes, which storage records itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from inlay.model.audit import AuditEvent
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need
from inlay.model.file import RepoPath


def proposed(changes: ChangeSet) -> list[AuditEvent]:
    return [_event("proposal", change) for change in changes.changes if not change.is_noop]


def decided(
    changes: Iterable[Change], waiting: Iterable[Need], decisions: Mapping[RepoPath, Decision]
) -> list[AuditEvent]:
    """Who decided what about which file, and why they had to; of two changes of one file the later counts."""
    by_path = {change.path: change for change in changes}
    reasons = {need.path: _reasons(need) for need in waiting}
    return [
        replace(
            _event("decision", by_path[path]),
            decision=decision.verdict if decision.verdict != "approve" else decision.strategy or "approve",
            by=decision.by,
            detail=reasons.get(path, ""),
        )
        for path, decision in decisions.items()
    ]


def blocked(undecided: Iterable[Need]) -> list[AuditEvent]:
    return [AuditEvent("blocked", str(need.path), by="policy", detail=_reasons(need)) for need in undecided]


def aborted(waiting: Iterable[Need], by: str) -> list[AuditEvent]:
    return [AuditEvent("decision", str(need.path), decision="abort", by=by, detail=_reasons(need)) for need in waiting]


def _event(kind: Literal["proposal", "decision"], change: Change) -> AuditEvent:
    before = change.before.digest if change.before else ""
    return AuditEvent(kind, str(change.path), before=before, after=change.digest)


def _reasons(need: Need) -> str:
    return ", ".join(dict.fromkeys(reason.code for reason in need.reasons))
