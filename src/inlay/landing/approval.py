"""From proposed changes to approved ones: check, ask where a decision is needed, apply the decision, check again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from inlay.engine import checks, merging
from inlay.engine.checks.rules.encoding import unwritable
from inlay.errors import EditsRefused, MergeRefused, Misfit, NeedsDecision, SafeFileWriteError
from inlay.landing import audit_events
from inlay.landing.approval_policy import is_whole, needs
from inlay.landing.land_options import LandOptions
from inlay.landing.refuse import raise_for
from inlay.model.allowance import EVERYTHING
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.model.match import Match
from inlay.storage import Workspace
from inlay.storage.config import load_settings
from inlay.text.lines import count_lines

#: Adds events to the audit log; a dry run adds none.
Record: TypeAlias = Callable[..., None]


@dataclass(frozen=True, slots=True)
class ApprovedChanges:
    """Changes that may be written, and the decisions that allowed them."""

    changes: ChangeSet
    findings: tuple[Finding, ...] = ()
    needs: tuple[Need, ...] = ()  #: everything that had to be decided
    decisions: tuple[Decision, ...] = ()
    skipped: tuple[RepoPath, ...] = ()


def approve_changes(
    changes: ChangeSet,
    workspace: Workspace,
    options: LandOptions,
    approve: Approve | None,
    findings: tuple[Finding, ...] | None = None,
) -> ApprovedChanges:
    """Repeat until nothing is left to decide; raises when anything stays undecided.

    `findings` are those of all checks on these very changes, where they ran before.
    """
    if findings is None or not options.check:
        findings = run_checks(changes, all_checks=options.check)
    threshold = options.threshold
    if threshold is None:
        threshold = load_settings.load(workspace.root).integer("threshold") or 0
    record: Record = workspace.record if not options.dry_run else lambda *events: None
    record(*audit_events.proposed(changes))
    approved = ApprovedChanges(changes, findings)
    seen: dict[RepoPath, frozenset[str]] = {}
    while True:
        all_needs = needs(approved.changes, approved.findings, workspace, threshold)
        waiting = tuple(need for need in all_needs if not need.codes <= seen.get(need.path, frozenset()))
        if not waiting:
            return approved
        # A decision may bring in what nobody has seen yet; only that is asked about again, so this ends.
        seen |= {need.path: seen.get(need.path, frozenset()) | need.codes for need in waiting}
        decisions = _decide(waiting, approved, options, approve, record)
        before, approved = approved, _apply(changes, approved, waiting, decisions, options)
        record(*audit_events.decided((*before.changes.changes, *approved.changes.changes), waiting, decisions))


def _decide(
    waiting: tuple[Need, ...],
    approved: ApprovedChanges,
    options: LandOptions,
    approve: Approve | None,
    record: Record,
) -> dict[RepoPath, Decision]:
    """The decision on every file that waits; raises when there is none, or one to stop."""
    if options.force:
        return {need.path: Decision(need.path, by="force") for need in waiting}
    decisions = {need.path: Decision(need.path, by="yes") for need in waiting if options.yes and need.is_small}
    asked = tuple(need for need in waiting if need.path not in decisions)
    if asked and approve:
        decisions |= _by_path(approve(asked, approved.changes), asked, approved)
    if undecided := tuple(need for need in waiting if need.path not in decisions):
        record(*audit_events.blocked(undecided))
        listed = "; ".join(f"{need.path}: {', '.join(reason.message for reason in need.reasons)}" for need in undecided)
        count = "a file" if len(undecided) == 1 else f"{len(undecided)} files"
        message = f"a person must decide about {count}, and nothing was written: {listed}"
        raise SafeFileWriteError(message, needs=undecided, changes=approved.changes)
    if stop := next((decision for decision in decisions.values() if decision.verdict == "abort"), None):
        record(*audit_events.aborted(waiting, stop.by))
        raise NeedsDecision("stopped by your decision; nothing was written")
    return decisions


def _by_path(
    answers: Sequence[Decision], asked: tuple[Need, ...], approved: ApprovedChanges
) -> dict[RepoPath, Decision]:
    changed = {change.path for change in approved.changes.changes}
    for_all = next((answer for answer in answers if answer.path is None), None)
    decisions = {need.path: replace(for_all, path=need.path) for need in asked} if for_all else {}
    for answer in answers:
        if answer.path is None or answer.path in approved.skipped:
            continue
        if answer.path not in changed:
            # Fail closed: a misspelt path would leave a file undecided that someone believes decided.
            raise NeedsDecision(f"there is a decision on {answer.path}, which is not among the changes")
        decisions[answer.path] = answer
    return decisions


def _apply(
    proposed: ChangeSet,
    approved: ApprovedChanges,
    waiting: tuple[Need, ...],
    decisions: dict[RepoPath, Decision],
    options: LandOptions,
) -> ApprovedChanges:
    """Apply each decision to the change as it was proposed, so that deciding twice is like deciding once."""
    skipped = tuple(path for path, decision in decisions.items() if decision.verdict == "skip")
    original = {change.path: change for change in proposed.changes}
    changes = replace(
        approved.changes,
        changes=tuple(
            apply_decision(original[change.path], decisions[change.path]) if change.path in decisions else change
            for change in approved.changes.changes
            if change.path not in skipped
        ),
        warnings=approved.changes.warnings + tuple(f"{path} was skipped, as decided" for path in skipped),
    )
    return ApprovedChanges(
        changes,
        run_checks(changes, all_checks=options.check),
        approved.needs + waiting,
        (*approved.decisions, *decisions.values()),
        approved.skipped + skipped,
    )


def run_checks(changes: ChangeSet, *, all_checks: bool) -> tuple[Finding, ...]:
    """Run the checks; raises for what no person may approve."""
    if misfits := [misfit for change in changes.changes if (misfit := unwritable(change))]:
        raise EditsRefused(*misfits)
    findings = checks.run(changes, only_decidable=not all_checks)
    raise_for(findings, decidable=checks.DECIDABLE)
    return findings


def preview(change: Change, decision: Decision, *, check: bool = True) -> tuple[Change, tuple[Finding, ...]]:
    """What would be written if this were decided; raises ReplyRejected where that is impossible.

    It calls the function that applies decisions, so what a person is shown is what is written.
    """
    result = apply_decision(change, decision)
    # Markup is judged with what is allowed, before a person is asked and when the decision is applied.
    return result, run_checks(ChangeSet((result,), allow=EVERYTHING), all_checks=check)


def apply_decision(change: Change, decision: Decision) -> Change:
    """The change as decided; raises where the decision does not fit it, or was made about other bytes."""
    match decision.strategy:
        case None | "replace":
            result = change
        case "edit":
            if decision.content is None or change.after is None:
                raise _unfit(change, "an edited version needs its content, and a file that is not deleted")
            result = replace(change, after=decision.content, matches=())
        case "append" | "insert" | "extend":
            if not is_whole(change):
                raise _unfit(change, f"{decision.strategy} needs whole new content for a file that exists")
            result = merge(change, decision.strategy, line=decision.line, replace_existing=decision.replace_existing)
    if decision.digest and decision.digest != result.digest:
        raise NeedsDecision(f"{change.path}: what would be written is not what was approved; nothing was written")
    return result


def _unfit(change: Change, message: str) -> MergeRefused:
    advice = "Approve the change as it is, or skip it."
    return MergeRefused(Misfit("strategy", f"{change.path}: {message}", advice, path=str(change.path)))


def merge(change: Change, strategy: merging.Strategy, *, line: int | None, replace_existing: bool) -> Change:
    """Join the new content of a change to the existing file instead of replacing it."""
    before = change.before.text if change.before else ""
    merged = merging.merge(
        strategy, before, change.after or "", path=change.target, line=line, replace_existing=replace_existing
    )
    if strategy == "replace" or change.before is None:
        return replace(change, after=merged.text)
    first = line or count_lines(before) + 1
    # Merged content has a place as an edit has, which tells it from a replacement.
    return replace(change, after=merged.text, matches=(Match(1, strategy, first, first, merged.notes),))
