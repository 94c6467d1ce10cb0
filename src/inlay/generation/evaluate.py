"""Judges one answer of a model: it will do, or what is wrong with it and what to ask for next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from inlay.codes import Code
from inlay.engine import checks, staging
from inlay.errors import EditsRefused, InlayError, Misfit, NoEditsFound, ReplyRejected, ReplyTruncated
from inlay.generation import missing_edits, parse_answer
from inlay.generation.allowed_files import confined
from inlay.generation.missing_edits import Owed
from inlay.generation.parse_answer import AnswerContext, described
from inlay.generation.partial_edits import Sorted, size, sort_out
from inlay.landing.apply_decision import look_at
from inlay.landing.refuse import advice_for
from inlay.model.answer import Answer
from inlay.model.change import ChangeSet
from inlay.model.edit import Part, Reading, Update
from inlay.model.finding import Finding
from inlay.prompts.retry_feedback import Complaint

_FINISH = "Send that edit again, complete, and whatever was to follow it."


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that will do."""

    reading: Reading
    changes: ChangeSet
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer that will not do yet."""

    error: str  #: the kind, for counting
    message: str  #: one line for a person
    complaint: Complaint
    cause: InlayError
    held: tuple[Part, ...] = ()
    gained: bool = False  #: whether more is held than before
    unreadable: bool = False  #: cut off or without an edit, so that another way of writing may help
    doubted: frozenset[str] = frozenset()
    owed: Owed = field(default_factory=dict)  #: how many edits of each file are to be sent


def judge(answer: Answer, standing: AnswerContext) -> Accepted | Fault:
    """Read it, hold it to its files, place it with what is held, look at the result; the first fault decides."""
    if answer.stop == "refused":
        return _failed(standing, "refused", "the model refused to answer", answer.text)
    if not answer.text.strip():
        return _failed(standing, "empty", "the answer was empty")
    try:
        reading, cut = parse_answer.read(answer, standing)
        sorted_out = _sorted(reading, standing)
    except ReplyRejected as refusal:
        return _rejected(refusal, standing)
    if cut is not None or sorted_out.misfits:
        return _partial(sorted_out, cut, standing)
    short = missing_edits.shortfall(standing.owed, sorted_out.arrived)
    if short and not parse_answer.says_done(answer, standing):
        return _short(replace(sorted_out, misfits=short), standing)
    return _complete(replace(reading, parts=_numbered(sorted_out.held)), standing)


# --- fitting -------------------------------------------------------------------------------------------------------


def _sorted(reading: Reading, standing: AnswerContext) -> Sorted:
    parts, outside = confined(reading, [target.path for target in standing.targets], standing.unnamed)
    found = sort_out(parts, standing.held, standing.snapshot)
    return replace(found, misfits=outside + found.misfits)


def _numbered(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Edits of several answers, counted as one."""
    numbers = count(1)
    return tuple(
        replace(part, edits=tuple(replace(edit, number=next(numbers)) for edit in part.edits))
        if isinstance(part, Update)
        else part
        for part in parts
    )


def _complete(reading: Reading, standing: AnswerContext) -> Accepted | Fault:
    """Everything fits; is it all that was wanted, and is the result sound?"""
    if absent := _absent(reading, standing):
        return _fault(standing, "missing-file", Sorted(reading.parts, absent))
    try:
        changes = staging.stage(reading, standing.snapshot)
        findings = look_at(changes, check=True)
    except EditsRefused as refusal:
        return _unsound(refusal.misfits, reading, standing)
    doubts = _doubts(changes, findings)
    if doubts and not {misfit.code for misfit in doubts} <= standing.doubted:
        fault = _unsound(doubts, reading, standing)
        return replace(fault, doubted=frozenset(misfit.code for misfit in doubts))
    return Accepted(replace(reading, format=reading.format or changes.format), changes, findings)


def _absent(reading: Reading, standing: AnswerContext) -> tuple[Misfit, ...]:
    given = {part.path for part in reading.parts}
    given |= {part.move_to for part in reading.parts if isinstance(part, Update)}
    wanted = [str(target.path) for target in standing.targets if target.file is None]
    return tuple(
        Misfit("missing-file", f"{path} is to be made, and the answer does not hold it", "Send it whole.", path=path)
        for path in wanted
        if path not in given
    )


def _doubts(changes: ChangeSet, findings: Iterable[Finding]) -> tuple[Misfit, ...]:
    """What a person may decide about; the model is asked once whether it was meant."""
    # Where a whole file was asked for, a piece of it is an easy mistake.
    rewritten = {change.target for change in changes.changes if not change.matches}
    found = [
        Misfit(each.code, each.message, f"{advice_for(each.code)} If it is meant, send the same again.", str(each.path))
        for each in findings
        if each.code in checks.DECIDABLE and (each.severity == "error" or each.path in rewritten)
    ]
    if all(change.is_noop for change in changes.changes):
        advice = "Make the change that the instruction asks for. If nothing is to change, send the same again."
        found.append(Misfit("no-change", "the answer changes nothing", advice))
    return tuple(found)


def _unsound(misfits: tuple[Misfit, ...], reading: Reading, standing: AnswerContext) -> Fault:
    """The result is broken: no edit of a broken file can be called good, those of other files can."""
    broken = {misfit.path for misfit in misfits}
    held = () if "" in broken else tuple(part for part in reading.parts if part.path not in broken)
    owed = missing_edits.all_of(part for part in reading.parts if part not in held)
    return replace(_fault(standing, misfits[0].code, Sorted(held, misfits, tuple(sorted(broken)))), owed=owed)


# --- faults --------------------------------------------------------------------------------------------------------


def _failed(standing: AnswerContext, error: Code, message: str, said: str = "") -> Fault:
    told = f"{message}: {said.strip()}" if said.strip() else message
    cause = NoEditsFound(Misfit(error, told, "Answer with the changes in the form that was described."))
    complaint = _unused(standing, f"Your last answer cannot be used: {message}.", ())
    return Fault(error, told, complaint, cause, standing.held, owed=standing.owed)


def _rejected(refusal: ReplyRejected, standing: AnswerContext) -> Fault:
    complaint = _unused(standing, "Your last answer cannot be used.", refusal.misfits)
    code = refusal.misfits[0].code
    return Fault(code, str(refusal), complaint, refusal, standing.held, unreadable=True, owed=standing.owed)


def _unused(standing: AnswerContext, summary: str, misfits: tuple[Misfit, ...]) -> Complaint:
    """Nothing of the last answer is held; what was held before still is."""
    held = described(standing.held)
    return Complaint(summary, misfits, held=held, unused=True, cut=standing.cut, may_end=standing.may_end)


def _short(found: Sorted, standing: AnswerContext) -> Fault:
    """Fewer edits than were asked for; one may do the work of several, which only the model can say."""
    fault = _fault(standing, "fewer-edits", found)
    may_end = standing.may_end or all(found.arrived.get(misfit.path) for misfit in found.misfits)
    return replace(fault, complaint=replace(fault.complaint, may_end=may_end))


def _partial(found: Sorted, cut: ReplyTruncated | None, standing: AnswerContext) -> Fault:
    if cut is None:
        return _fault(standing, found.misfits[0].code, found)
    unfinished = tuple(replace(misfit, advice=_FINISH) for misfit in cut.misfits)
    fault = _fault(standing, "truncated", replace(found, misfits=unfinished + found.misfits))
    message = "; ".join(misfit.message for misfit in cut.misfits)
    complaint = replace(fault.complaint, summary="Your last answer was cut off before its end.", cut=True)
    owed = missing_edits.still_owed(standing.owed, standing.held, found, cut=True)
    return replace(fault, message=message, complaint=complaint, cause=cut, unreadable=not fault.gained, owed=owed)


def _fault(standing: AnswerContext, error: str, found: Sorted) -> Fault:
    cause = EditsRefused(*found.misfits) if found.misfits else NoEditsFound()
    summary = "Your last answer cannot be used as it is."
    # An edit that is not wanted at all may leave nothing to correct.
    may_end = bool(found.held) and all(misfit.code == "outside-task" for misfit in found.misfits)
    complaint = Complaint(summary, found.misfits, held=described(found.held), redo=found.redo, may_end=may_end)
    owed = missing_edits.still_owed(standing.owed, standing.held, found)
    return Fault(error, str(cause), complaint, cause, found.held, size(found.held) > size(standing.held), owed=owed)
