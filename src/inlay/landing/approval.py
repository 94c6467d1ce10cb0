"""From proposed changes to decided ones: checked, asked about where that is needed, and checked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inlay.errors import NeedsDecision, SafeFileWriteError
from inlay.landing import audit_events
from inlay.landing.apply_decision import carried_out, look_at
from inlay.landing.approval_policy import needs
from inlay.landing.land_options import LandOptions
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.storage import Workspace


@dataclass(frozen=True, slots=True)
class Settled:
    """Changes that may be written, and how they came to be allowed."""

    changes: ChangeSet
    findings: tuple[Finding, ...] = ()
    needs: tuple[Need, ...] = ()  #: everything that had to be decided
    decisions: tuple[Decision, ...] = ()
    skipped: tuple[RepoPath, ...] = ()


def settle(changes: ChangeSet, workspace: Workspace, options: LandOptions, approve: Approve | None) -> Settled:
    """Check, ask, carry out and check again until nothing is left to decide; raises when anything stays undecided."""
    settled = Settled(changes, look_at(changes, check=options.check))
    log = audit_events.Log(workspace, silent=options.dry_run)
    log.proposed(changes)
    seen: dict[RepoPath, frozenset[str]] = {}
    while waiting := _unseen(settled, workspace, options, seen):
        # A decision may bring in what nobody has seen yet; only that is asked about again, so this ends.
        seen |= {need.path: seen.get(need.path, frozenset()) | need.codes for need in waiting}
        chosen = _decide(waiting, settled, options, approve, log)
        asked, settled = settled, _carry_out(changes, settled, waiting, chosen, options)
        log.decided((*asked.changes.changes, *settled.changes.changes), waiting, chosen)
    return settled


def _unseen(
    settled: Settled, workspace: Workspace, options: LandOptions, seen: dict[RepoPath, frozenset[str]]
) -> tuple[Need, ...]:
    found = needs(settled.changes, settled.findings, workspace, options.threshold_in_force(workspace))
    return tuple(need for need in found if not need.codes <= seen.get(need.path, frozenset()))


def _decide(
    waiting: tuple[Need, ...], settled: Settled, options: LandOptions, approve: Approve | None, log: audit_events.Log
) -> dict[RepoPath, Decision]:
    """The decision on every file that waits; raises when there is none, or one to stop."""
    if options.force:
        return {need.path: Decision(need.path, by="force") for need in waiting}
    chosen = {need.path: Decision(need.path, by="yes") for need in waiting if options.yes and need.is_small}
    asked = tuple(need for need in waiting if need.path not in chosen)
    if asked and approve:
        chosen |= _by_path(approve(asked, settled.changes), asked, settled)
    undecided = tuple(need for need in waiting if need.path not in chosen)
    if undecided:
        _block(undecided, settled.changes, log)
    if stop := next((decision for decision in chosen.values() if decision.verdict == "abort"), None):
        log.aborted(waiting, stop.by)
        raise NeedsDecision("stopped by your decision; nothing was written")
    return chosen


def _by_path(answers: Sequence[Decision], asked: tuple[Need, ...], settled: Settled) -> dict[RepoPath, Decision]:
    known = {change.path for change in settled.changes.changes}
    for_all = next((answer for answer in answers if answer.path is None), None)
    chosen = {need.path: replace(for_all, path=need.path) for need in asked} if for_all else {}
    for answer in answers:
        if answer.path is None or answer.path in settled.skipped:
            continue
        if answer.path not in known:
            # Fail closed: a misspelt path would leave undecided what somebody believes decided.
            raise NeedsDecision(f"there is a decision on {answer.path}, which is not among the changes")
        chosen[answer.path] = answer
    return chosen


def _block(undecided: tuple[Need, ...], changes: ChangeSet, log: audit_events.Log) -> None:
    log.blocked(undecided)
    listed = "; ".join(f"{need.path}: {', '.join(reason.message for reason in need.reasons)}" for need in undecided)
    count = "a file" if len(undecided) == 1 else f"{len(undecided)} files"
    message = f"a person must decide about {count}, and nothing was written: {listed}"
    raise SafeFileWriteError(message, needs=undecided, changes=changes)


def _carry_out(
    proposed: ChangeSet,
    settled: Settled,
    waiting: tuple[Need, ...],
    chosen: dict[RepoPath, Decision],
    options: LandOptions,
) -> Settled:
    """Every decision applied to the change as it was proposed, so that deciding twice is like deciding once."""
    skipped = [path for path, decision in chosen.items() if decision.verdict == "skip"]
    original = {change.path: change for change in proposed.changes}
    kept = [
        _decided(change, chosen.get(change.path), original)
        for change in settled.changes.changes
        if change.path not in skipped
    ]
    said = tuple(f"{path} was skipped, as decided" for path in skipped)
    changes = replace(settled.changes, changes=tuple(kept), warnings=settled.changes.warnings + said)
    return Settled(
        changes,
        look_at(changes, check=options.check),
        settled.needs + waiting,
        (*settled.decisions, *chosen.values()),
        (*settled.skipped, *skipped),
    )


def _decided(change: Change, decision: Decision | None, original: dict[RepoPath, Change]) -> Change:
    return change if decision is None else carried_out(original[change.path], decision)
