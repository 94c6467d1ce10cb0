"""Which changes must not land before a person has decided about them, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from inlay.engine import checks
from inlay.engine.checks.rules.shrinkage import large_removal
from inlay.errors import EditsRefused, Misfit
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Need, Reason, Strategy
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.model.protection import Protection
from inlay.text.lines import count_lines


class Guard(Protocol):
    """Who knows which paths are guarded; a workspace does."""

    def protection(self, path: RepoPath) -> Protection:
        """How closely a path is guarded."""
        ...


def needs(changes: ChangeSet, findings: Iterable[Finding], guard: Guard, threshold: int) -> tuple[Need, ...]:
    """Every file that needs a decision, in order; raises for paths that nobody may decide about."""
    _raise_for_denied(changes, guard)
    suspicious = [finding for finding in findings if finding.severity == "error" and finding.code in checks.DECIDABLE]
    found = [_need(change, suspicious, guard, threshold) for change in changes.changes if not change.is_noop]
    return tuple(need for need in found if need.reasons)


def is_whole(change: Change) -> bool:
    """Whether an existing file gets wholly new content, rather than edits at certain places."""
    return change.before is not None and change.after is not None and not change.matches


def _raise_for_denied(changes: ChangeSet, guard: Guard) -> None:
    guarded = [(path, guard.protection(path)) for change in changes.changes for path in _paths(change)]
    misfits = [_denied(path, found) for path, found in guarded if found.level == "deny"]
    if misfits:
        raise EditsRefused(*misfits)


def _denied(path: RepoPath, found: Protection) -> Misfit:
    message = f"{path} must not be written, because it is {found.reason}"
    return Misfit("path-protected", message, "Leave this file alone.", path=str(path))


def _paths(change: Change) -> tuple[RepoPath, ...]:
    return (change.path,) if change.move_to is None else (change.path, change.move_to)


def _need(change: Change, suspicious: list[Finding], guard: Guard, threshold: int) -> Need:
    existing = count_lines(change.before.text) if change.before else 0
    by_size = _by_size(change, existing, threshold)
    reasons = [*by_size, *_by_path(change, guard)]
    reasons += [Reason(f.code, f.message, f.line) for f in suspicious if f.path == change.target]
    # A general yes may cover what `existing` bounds, but nothing that is suspicious or guarded in itself.
    is_small = len(by_size) == len(reasons) and existing <= threshold
    return Need(
        change.path, tuple(reasons), existing, count_lines(change.after or ""), _strategies(change), is_small=is_small
    )


def _by_size(change: Change, existing: int, threshold: int) -> list[Reason]:
    if change.before is None:
        return []
    if change.after is None:
        return [Reason("deletion", f"deletes the file with its {existing} lines")]
    if is_whole(change) and change.before.text != change.after:
        message = f"replaces a file of {existing} lines, and over {threshold} needs a decision"
        return [Reason("large-replacement", message)] if existing > threshold else []
    removal = large_removal(change.before.text, change.after, threshold)
    return [Reason("large-removal", removal)] if removal else []


def _by_path(change: Change, guard: Guard) -> list[Reason]:
    found = [(path, guard.protection(path)) for path in _paths(change)]
    return [Reason("protected", f"{path} is {by.reason}") for path, by in found if by.level == "approve"]


def _strategies(change: Change) -> tuple[Strategy, ...]:
    if change.after is None:
        return ()
    return ("append", "insert", "extend", "replace", "edit") if is_whole(change) else ("replace", "edit")
