"""Which changes must not be written before a person has decided about them, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from inlay.engine import checks
from inlay.engine.checks.rules.shrinkage import large_removal, large_replacement
from inlay.errors import EditsRefused
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Need, Reason, Strategy
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.model.protection import Protection
from inlay.storage.project_files import denied
from inlay.text.lines import count_lines


class Guard(Protocol):
    """Knows which paths are protected; a workspace does."""

    def protection(self, path: RepoPath) -> Protection: ...


def needs(changes: ChangeSet, findings: Iterable[Finding], guard: Guard, threshold: int) -> tuple[Need, ...]:
    """Every file that needs a decision, in order; raises for paths that nobody may decide about."""
    paths = dict.fromkeys(path for change in changes.changes for path in (change.path, change.target))
    protections = {path: guard.protection(path) for path in paths}
    if misfits := [denied(path, by.reason) for path, by in protections.items() if by.level == "deny"]:
        raise EditsRefused(*misfits)
    suspicious = [finding for finding in findings if finding.severity == "error" and finding.code in checks.DECIDABLE]
    found = [_need(change, suspicious, protections, threshold) for change in changes.changes if not change.is_noop]
    return tuple(need for need in found if need.reasons)


def is_whole(change: Change) -> bool:
    """Whether an existing file gets wholly new content, rather than edits at certain places."""
    return change.before is not None and change.after is not None and not change.matches


def _need(
    change: Change, suspicious: list[Finding], protections: Mapping[RepoPath, Protection], threshold: int
) -> Need:
    existing = count_lines(change.before.text) if change.before else 0
    found = [finding for finding in suspicious if finding.path == change.target]
    by_size = _by_size(change, existing, threshold)
    # One fact, one reason: what a reply leaves out of a file says more than how much it changes.
    if any(finding.code == "shrinkage" for finding in found):
        by_size = [] if change.woven else by_size
        found = [finding for finding in found if finding.code != "shrinkage" or not by_size]
    reasons = [*by_size]
    for path in dict.fromkeys((change.path, change.target)):
        if protections[path].level == "approve":
            reasons.append(Reason("protected", f"{path} is {protections[path].reason}"))
    reasons += [Reason(finding.code, finding.message, finding.line) for finding in found]
    strategies: tuple[Strategy, ...] = ("append", "insert", "extend", "replace", "edit")
    if not is_whole(change):
        strategies = () if change.after is None else ("replace", "edit")
    # A general yes may cover what `existing` bounds, but nothing that is suspicious or protected in itself.
    is_small = len(by_size) == len(reasons) and existing <= threshold
    return Need(change.path, tuple(reasons), existing, count_lines(change.after or ""), strategies, is_small)


def _by_size(change: Change, existing: int, threshold: int) -> list[Reason]:
    if change.before is None:
        return []
    if change.after is None:
        return [Reason("deletion", f"deletes the file with its {existing} lines")]
    if is_whole(change):
        replacement = large_replacement(change, threshold)
        return [Reason("large-replacement", replacement)] if replacement else []
    removal = large_removal(change.before.text, change.after, threshold)
    return [Reason("large-removal", removal)] if removal else []
