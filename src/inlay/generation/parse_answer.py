"""Reads one answer of a model: its complete edits, and why they are not all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from inlay.engine import formats
from inlay.errors import Misfit, NoEditsFound, ReplyTruncated
from inlay.generation.request_mode import WHOLE, Target
from inlay.landing.reply_text import require_text
from inlay.model.answer import Answer
from inlay.model.edit import Block, Create, Edit, Hunk, Overwrite, Part, Reading, Update
from inlay.model.file import RepoPath, Snapshot
from inlay.prompts.retry_feedback import DONE, Held


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """Where a conversation stands before an answer is judged."""

    targets: tuple[Target, ...]
    snapshot: Snapshot  #: of those files, as the model was shown them
    format: str  #: that was asked for
    held: tuple[Part, ...] = ()
    owed: Mapping[str, int] = field(default_factory=dict)  #: how many edits of each file were asked for again
    cut: bool = False  #: whether an answer was cut off whose rest has not come yet
    may_end: bool = False  #: whether the model was told that it may have nothing left to send
    unnamed: RepoPath | None = None  #: the file that edits without a name are for, where it can be only one
    doubted: frozenset[str] = frozenset()  #: what was doubted before; a model that insists hands it on to a person


def read(answer: Answer, standing: AnswerContext) -> tuple[Reading, ReplyTruncated | None]:
    """The complete edits of an answer, and why it is not all of them."""
    require_text(answer.text)
    try:
        reading = _in_any_format(answer, standing)
    except ReplyTruncated as cut:
        complete = cut.complete if isinstance(cut.complete, Reading) else Reading("", ())
        return complete, cut
    if answer.stop == "truncated" and reading.parts:
        kept, last = _without_last(reading)
        message = f"the answer was cut off at the output limit, and {last} may not have arrived whole"
        return kept, ReplyTruncated(Misfit("truncated", message))
    return reading, None


def says_done(answer: Answer, standing: AnswerContext) -> bool:
    """Whether a model that may do so says that nothing is left to send."""
    return standing.may_end and bool(standing.held) and DONE in answer.text


def _in_any_format(answer: Answer, standing: AnswerContext) -> Reading:
    """What the text holds, in whatever format; less evidence will do for the one that was asked for."""
    text = answer.text
    if says_done(answer, standing):
        return _rest(text)
    try:
        return formats.read(text)
    except NoEditsFound:
        asked = WHOLE if all(target.mode == "whole" for target in standing.targets) else standing.format
        return formats.read(text, asked)


def _rest(text: str) -> Reading:
    try:
        return formats.read(text)
    except NoEditsFound:
        return Reading("", ())


def _without_last(reading: Reading) -> tuple[Reading, str]:
    """Without what was written last: where an answer was cut off, nothing shows that its last edit was finished."""
    *before, last = reading.parts
    if not isinstance(last, Update):
        return replace(reading, parts=tuple(before)), f"{last.path or 'the last file'}"
    edits = [edit for part in reading.parts if isinstance(part, Update) for edit in part.edits]
    dropped = max(edits, key=lambda edit: edit.number)
    parts = [_without_edit(part, dropped.number) if isinstance(part, Update) else part for part in reading.parts]
    kept = tuple(part for part in parts if not isinstance(part, Update) or part.edits)
    return replace(reading, parts=kept), f"its last edit ({dropped.description or _first_line(dropped)})"


def _without_edit(part: Update, number: int) -> Update:
    return replace(part, edits=tuple(edit for edit in part.edits if edit.number != number))


def described(parts: Sequence[Part]) -> tuple[Held, ...]:
    """What is held, in words that the model recognises."""
    return tuple(Held(str(part.path), what) for part in parts for what in _what(part))


def _what(part: Part) -> list[str]:
    match part:
        case Update(edits=edits):
            return [edit.description or _first_line(edit) for edit in edits]
        case Create() | Overwrite():
            return ["the whole file"]
        case _:
            return ["its deletion"]


def _first_line(edit: Edit) -> str:
    match edit.variants[0]:
        case Block(find, new):
            lines = [line for line in (*find, *new) if line.strip()]
        case Hunk(ops):
            lines = [text for kind, text in ops if kind != " " and text.strip()]
        case _:
            lines = []
    return f"the edit at {lines[0].strip()!r}" if lines else "an edit"
