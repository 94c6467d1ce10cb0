"""What a decision makes of a proposed change."""

from __future__ import annotations

from dataclasses import replace

from inlay.engine import checks, merging
from inlay.errors import MergeRefused, Misfit, NeedsDecision
from inlay.landing.approval_policy import is_whole
from inlay.landing.refuse import raise_for, raise_for_unwritable
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, content_digest
from inlay.model.finding import Finding
from inlay.model.match import Match
from inlay.text.lines import count_lines


def preview(change: Change, decision: Decision, *, check: bool = True) -> tuple[Change, tuple[Finding, ...]]:
    """What would be written if this were decided; raises ReplyRejected where that cannot be.

    The very function that carries decisions out, so what a person was shown is what is written.
    """
    result = carried_out(change, decision)
    return result, look_at(ChangeSet((result,)), check=check)


def look_at(changes: ChangeSet, *, check: bool) -> tuple[Finding, ...]:
    """What the checks find; raises for what no person may approve."""
    raise_for_unwritable(changes)
    findings = checks.run(changes, only_decidable=not check)
    raise_for(findings, decidable=checks.DECIDABLE)
    return findings


def carried_out(change: Change, decision: Decision) -> Change:
    """The change as decided; raises where the decision does not fit it, or was made about other bytes."""
    result = _result(change, decision)
    if decision.digest and decision.digest != content_digest(result):
        raise NeedsDecision(f"{change.path}: what would be written is not what was approved; nothing was written")
    return result


def _result(change: Change, decision: Decision) -> Change:
    match decision.strategy:
        case None | "replace":
            return change
        case "edit":
            if decision.content is None or change.after is None:
                raise _unfit(change, "an edited version needs its content, and a file that stays")
            return replace(change, after=decision.content, matches=())
        case "append" | "insert" | "extend":
            return _merged(change, decision, decision.strategy)


def _merged(change: Change, decision: Decision, strategy: merging.Strategy) -> Change:
    if change.before is None or change.after is None or not is_whole(change):
        raise _unfit(change, f"{strategy} takes new content for a file that exists, and this is none")
    return merged(change, strategy, line=decision.line, replace_existing=decision.replace_existing)


def _unfit(change: Change, message: str) -> MergeRefused:
    advice = "Approve the change as it is, or skip it."
    return MergeRefused(Misfit("strategy", f"{change.path}: {message}", advice, path=str(change.path)))


def merged(change: Change, strategy: merging.Strategy, *, line: int | None, replace_existing: bool) -> Change:
    """The new content of a change joined to the existing file instead of replacing it."""
    before = change.before.text if change.before else ""
    done = merging.merge(
        strategy, before, change.after or "", path=change.target, line=line, replace_existing=replace_existing
    )
    if strategy == "replace" or change.before is None:
        return replace(change, after=done.text)
    first = line or count_lines(before) + 1
    # Joined content has a place like an edit has, which is also what tells it from a replacement.
    return replace(change, after=done.text, matches=(Match(1, strategy, first, first, done.notes),))
