"""Parses one answer of a model: its complete edits, and why they are not all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from inlay.engine import formats
from inlay.errors import Misfit, NoEditsFound, ReplyTruncated
from inlay.generation.context import WHOLE, Target
from inlay.generation.partial_edits import EditCounts
from inlay.landing.reply_text import require_text
from inlay.model.allowance import Allowance
from inlay.model.answer import Answer
from inlay.model.edit import Block, Delete, Edit, Hunk, Part, Reading, Update
from inlay.model.file import RepoPath, Snapshot
from inlay.prompts.retry_feedback import DONE, AcceptedEdit


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The state of a conversation before an answer is evaluated."""

    targets: tuple[Target, ...]
    snapshot: Snapshot  #: of those files, as the model was shown them
    format: str  #: that was requested
    accepted: tuple[Part, ...] = ()
    expected: EditCounts = field(default_factory=dict)  #: how many edits of each file were requested again
    cut: bool = False  #: whether an answer was cut off whose rest has not come yet
    may_end: bool = False  #: whether the feedback said that nothing may be left to send
    unnamed: RepoPath | None = None  #: the file that edits without a name are for, where it can be only one
    asked: str = ""  #: the words of the task, which may give up a definition
    doubted: frozenset[str] = frozenset()  #: codes questioned before; if the model insists, a person decides
    allow: frozenset[Allowance] = frozenset()  #: what is content, although it looks like markup of a reply


def parse_answer(answer: Answer, context: AnswerContext) -> tuple[Reading, ReplyTruncated | None]:
    """The complete edits of an answer, and why they are not all of it."""
    require_text(answer.text)
    try:
        reading = _read(answer, context)
    except ReplyTruncated as cut:
        return cut.complete or Reading("", ()), cut
    if answer.stop == "truncated" and reading.parts:
        complete, last = _without_last(reading)
        message = f"the answer was cut off at the output limit, and {last} may be incomplete"
        return complete, ReplyTruncated(Misfit("truncated", message))
    return reading, None


def says_done(answer: Answer, context: AnswerContext) -> bool:
    """Whether a model that may do so says that nothing is left to send."""
    return context.may_end and bool(context.accepted) and DONE in answer.text


def _read(answer: Answer, context: AnswerContext) -> Reading:
    """What the text has, in whatever format; less evidence will do for the one that was requested."""
    try:
        return replace(formats.read(answer.text), allow=context.allow)
    except NoEditsFound:
        if says_done(answer, context):
            return Reading("", ())
        whole = all(target.mode == "whole" for target in context.targets)
        return replace(formats.read(answer.text, WHOLE if whole else context.format), allow=context.allow)


def _without_last(reading: Reading) -> tuple[Reading, str]:
    """Without what was written last: where an answer was cut off, nothing shows that its last edit is complete."""
    *before, last = reading.parts
    if not isinstance(last, Update):
        return replace(reading, parts=tuple(before)), f"{last.path or 'the last file'}"
    edits = [edit for part in reading.parts if isinstance(part, Update) for edit in part.edits]
    dropped = max(edits, key=lambda edit: edit.number)
    parts: list[Part] = []
    for part in reading.parts:
        if not isinstance(part, Update):
            parts.append(part)
        elif left := tuple(edit for edit in part.edits if edit.number != dropped.number):
            parts.append(replace(part, edits=left))
    return replace(reading, parts=tuple(parts)), f"its last edit ({dropped.description or _first_line(dropped)})"


def described(parts: Sequence[Part]) -> tuple[AcceptedEdit, ...]:
    """The accepted edits in words that the model recognises."""
    accepted: list[AcceptedEdit] = []
    for part in parts:
        if isinstance(part, Update):
            texts = [edit.description or _first_line(edit) for edit in part.edits]
        else:
            texts = ["its deletion" if isinstance(part, Delete) else "the whole file"]
        accepted += [AcceptedEdit(str(part.path), text) for text in texts]
    return tuple(accepted)


def _first_line(edit: Edit) -> str:
    match edit.variants[0]:
        case Block(find, new):
            lines = [line for line in (*find, *new) if line.strip()]
        case Hunk(ops):
            lines = [text for kind, text in ops if kind != " " and text.strip()]
        case _:
            lines = []
    return f"the edit at {lines[0].strip()!r}" if lines else "an edit"
