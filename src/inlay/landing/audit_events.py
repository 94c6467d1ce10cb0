"""What a landing leaves in the audit log besides the writes, which storage records itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inlay.model.audit import AuditEvent
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need, content_digest
from inlay.model.file import RepoPath
from inlay.storage import Workspace


class Log:
    """The audit log of one landing; a rehearsal leaves no trace."""

    def __init__(self, workspace: Workspace, *, silent: bool) -> None:
        self._workspace = workspace
        self._silent = silent

    def proposed(self, changes: ChangeSet) -> None:
        """What somebody wants to be written."""
        self._record(
            AuditEvent("proposal", str(change.path), before=_before(change), after=content_digest(change) or "")
            for change in changes.changes
            if not change.is_noop
        )

    def decided(
        self,
        changes: Iterable[Change],
        waiting: Iterable[Need],
        chosen: Mapping[RepoPath, Decision],
    ) -> None:
        """Who decided what about which file, and why they had to; of two changes of one file the later counts."""
        by_path = {change.path: change for change in changes}
        reasons = {need.path: _reasons(need) for need in waiting}
        self._record(
            AuditEvent(
                "decision",
                str(path),
                before=_before(by_path[path]),
                after=content_digest(by_path[path]) or "",
                decision=_name(decision),
                by=decision.by,
                detail=reasons.get(path, ""),
            )
            for path, decision in chosen.items()
        )

    def blocked(self, undecided: Iterable[Need]) -> None:
        """Which files were kept out because nobody had decided about them."""
        self._record(AuditEvent("blocked", str(need.path), by="policy", detail=_reasons(need)) for need in undecided)

    def aborted(self, waiting: Iterable[Need], by: str) -> None:
        """Which files were kept out because somebody said stop."""
        self._record(
            AuditEvent("decision", str(need.path), decision="abort", by=by, detail=_reasons(need)) for need in waiting
        )

    def _record(self, events: Iterable[AuditEvent]) -> None:
        found = tuple(events)
        if found and not self._silent:
            self._workspace.record(*found)


def _before(change: Change) -> str:
    return change.before.digest if change.before else ""


def _name(decision: Decision) -> str:
    return decision.verdict if decision.verdict != "approve" else decision.strategy or "approve"


def _reasons(need: Need) -> str:
    return ", ".join(dict.fromkeys(reason.code for reason in need.reasons))
