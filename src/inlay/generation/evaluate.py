"""Evaluates one answer of a model: accepted, or rejected with what is wrong and what to request next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from inlay.engine import checks, staging
from inlay.errors import EditsRefused, InlayError, Misfit, NoEditsFound, ReplyRejected, ReplyTruncated
from inlay.generation.allowed_files import confine
from inlay.generation.parse_answer import AnswerContext, described, parse_answer, says_done
from inlay.generation.partial_edits import (
    EditCounts,
    SortedEdits,
    count_by_file,
    numbered,
    shortfall,
    size,
    sort_edits,
    still_expected,
)
from inlay.generation.unasked_losses import with_unasked_losses
from inlay.landing.approval import run_checks
from inlay.landing.refuse import advice_for
from inlay.model.answer import Answer
from inlay.model.change import ChangeSet
from inlay.model.edit import Part, Reading, Update
from inlay.model.finding import Finding
from inlay.prompts.retry_feedback import Feedback

_COMPLETE = "Send that edit again, complete, and whatever was to follow it."


@dataclass(frozen=True, slots=True)
class Accepted:
    reading: Reading
    changes: ChangeSet
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    error: str  #: the kind, for counting
    message: str  #: one line for a person
    feedback: Feedback
    cause: InlayError
    accepted: tuple[Part, ...] = ()
    gained: bool = False  #: whether more is accepted than before
    unreadable: bool = False  #: cut off or without an edit, so that another way of writing may help
    doubted: frozenset[str] = frozenset()
    expected: EditCounts = field(default_factory=dict)  #: how many edits of each file are to be sent


def evaluate(answer: Answer, context: AnswerContext) -> Accepted | Rejected:
    """Parse it, confine it to its files, place it with what was accepted, check the result; the first fault decides."""
    if answer.stop == "refused":
        words = f": {answer.text.strip()}" if answer.text.strip() else ""
        return _unusable(context, "refused", "the model refused to answer", words)
    if not answer.text.strip():
        return _unusable(context, "empty", "the answer was empty")
    try:
        reading, cut = parse_answer(answer, context)
        parts, outside = confine(reading, [target.path for target in context.targets], context.unnamed)
        edits = sort_edits(replace(reading, parts=parts), context.accepted, context.snapshot)
    except ReplyRejected as refusal:
        feedback = _unused(context, "Your last answer cannot be used.", refusal.misfits)
        code, message = refusal.misfits[0].code, str(refusal)
        return Rejected(code, message, feedback, refusal, context.accepted, unreadable=True, expected=context.expected)
    edits = replace(edits, misfits=outside + edits.misfits)
    if cut is not None:
        return _cut_off(edits, cut, context)
    if edits.misfits:
        return _rejected(context, edits.misfits[0].code, edits)
    missing = shortfall(context.expected, edits.new)
    if missing and not says_done(answer, context):
        # One edit may do the work of several, which only the model can say.
        rejected = _rejected(context, "fewer-edits", replace(edits, misfits=missing))
        may_end = context.may_end or all(edits.new.get(misfit.path) for misfit in missing)
        return replace(rejected, feedback=replace(rejected.feedback, may_end=may_end))
    return _check_result(replace(reading, parts=numbered(edits.accepted)), edits.changes, context)


def _check_result(reading: Reading, staged: ChangeSet | None, context: AnswerContext) -> Accepted | Rejected:
    """Everything fits; is it all that was requested, and is the result sound?"""
    given = {part.path for part in reading.parts}
    given |= {part.move_to for part in reading.parts if isinstance(part, Update)}
    new_files = [str(target.path) for target in context.targets if target.file is None]
    if absent := tuple(
        Misfit("missing-file", f"{path} is to be created, and the answer lacks it", "Send it whole.", path=path)
        for path in new_files
        if path not in given
    ):
        return _rejected(context, "missing-file", SortedEdits(reading.parts, absent))
    try:
        changes = staged or staging.stage(reading, context.snapshot)
        findings = with_unasked_losses(changes, run_checks(changes, all_checks=True), context.asked)
    except EditsRefused as refusal:
        return _unsound(refusal.misfits, reading, context)
    doubts = _doubts(changes, findings)
    codes = frozenset(misfit.code for misfit in doubts)
    if not codes <= context.doubted:
        return replace(_unsound(doubts, reading, context), doubted=codes)
    return Accepted(replace(reading, format=reading.format or changes.format), changes, findings)


def _doubts(changes: ChangeSet, findings: Iterable[Finding]) -> tuple[Misfit, ...]:
    """What a person may decide about; the model is asked once whether it was meant."""
    # Where a whole file was requested, sending a piece of it is an easy mistake.
    rewritten = {change.target for change in changes.changes if not change.matches}
    doubts = []
    for finding in findings:
        if finding.code in checks.DECIDABLE and (finding.severity == "error" or finding.path in rewritten):
            advice = f"{advice_for(finding.code)} If it is meant, send the same again."
            doubts.append(Misfit(finding.code, finding.message, advice, str(finding.path)))
    if all(change.is_noop for change in changes.changes):
        advice = "Make the change that the instruction asks for. If nothing is to change, send the same again."
        doubts.append(Misfit("no-change", "the answer changes nothing", advice))
    return tuple(doubts)


def _unsound(misfits: tuple[Misfit, ...], reading: Reading, context: AnswerContext) -> Rejected:
    """The result is broken: no edit of a broken file can be accepted, those of other files can."""
    broken = {misfit.path for misfit in misfits}
    accepted = () if "" in broken else tuple(part for part in reading.parts if part.path not in broken)
    expected = count_by_file(part for part in reading.parts if part not in accepted)
    edits = SortedEdits(accepted, misfits, tuple(sorted(broken)))
    return replace(_rejected(context, misfits[0].code, edits), expected=expected)


# --- rejections ----------------------------------------------------------------------------------------------------


def objected(misfit: Misfit) -> Rejected:
    """The caller's own check rejects a result whose edits fit."""
    feedback = Feedback("Your edits fit, but the result cannot be used.", (misfit,))
    return Rejected(misfit.code, misfit.message, feedback, EditsRefused(misfit))


def _unusable(context: AnswerContext, error: Literal["refused", "empty"], message: str, words: str = "") -> Rejected:
    cause = NoEditsFound(Misfit(error, message + words, "Answer with the changes in the form that was described."))
    feedback = _unused(context, f"Your last answer cannot be used: {message}.", ())
    return Rejected(error, message + words, feedback, cause, context.accepted, expected=context.expected)


def _unused(context: AnswerContext, summary: str, misfits: tuple[Misfit, ...]) -> Feedback:
    """Nothing of the last answer is accepted; what was accepted before still is."""
    accepted = described(context.accepted)
    return Feedback(summary, misfits, accepted=accepted, unused=True, cut=context.cut, may_end=context.may_end)


def _cut_off(edits: SortedEdits, cut: ReplyTruncated, context: AnswerContext) -> Rejected:
    unfinished = tuple(replace(misfit, advice=_COMPLETE) for misfit in cut.misfits)
    rejected = _rejected(context, "truncated", replace(edits, misfits=unfinished + edits.misfits))
    return replace(
        rejected,
        message="; ".join(misfit.message for misfit in cut.misfits),
        feedback=replace(rejected.feedback, summary="Your last answer was cut off before its end.", cut=True),
        cause=cut,
        unreadable=not rejected.gained,
        expected=still_expected(context.expected, context.accepted, edits, cut=True),
    )


def _rejected(context: AnswerContext, error: str, edits: SortedEdits) -> Rejected:
    cause = EditsRefused(*edits.misfits)
    # An edit that is not wanted at all may leave nothing to correct.
    may_end = bool(edits.accepted) and all(misfit.code == "outside-task" for misfit in edits.misfits)
    summary, accepted = "Your last answer cannot be used as it is.", described(edits.accepted)
    feedback = Feedback(summary, edits.misfits, accepted=accepted, resend=edits.resend, may_end=may_end)
    gained = size(edits.accepted) > size(context.accepted)
    expected = still_expected(context.expected, context.accepted, edits)
    return Rejected(error, str(cause), feedback, cause, edits.accepted, gained, expected=expected)
