"""The turn after an answer that cannot be used: what was wrong, what was accepted, what to send now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest

from inlay.errors import Misfit
from inlay.prompts import sanitise
from inlay.prompts.blocks import Blocks

#: What a model answers when nothing is left to send.
DONE = "ALL EDITS SENT"
_MOST_QUOTED = 20
_MOST_MISFITS = 30


@dataclass(frozen=True, slots=True)
class AcceptedEdit:
    """An edit that fits and need not be sent again."""

    path: str
    text: str  #: its description, or its first lines


@dataclass(frozen=True, slots=True)
class Feedback:
    summary: str  #: one sentence
    misfits: tuple[Misfit, ...] = ()
    output: str = ""  #: what a command printed
    accepted: tuple[AcceptedEdit, ...] = ()
    resend: tuple[str, ...] = ()  #: files of which all edits are requested again
    unused: bool = False  #: nothing of the last answer is accepted, though something from before may be
    cut: bool = False  #: the answer ended too early, and the rest of it is requested
    may_end: bool = False  #: there may be nothing left to send
    answering: str = ""  #: how to answer from now on, where that changes


def message(feedback: Feedback, blocks: Blocks) -> str:
    """The next turn of the conversation; everything before it stays as it was."""
    return "\n\n".join(_sections(feedback, blocks)) + "\n"


def _sections(feedback: Feedback, blocks: Blocks) -> Iterator[str]:
    yield f"{sanitise.line(feedback.summary)}\nNothing was written; all files are as shown above."
    for number, misfit in enumerate(feedback.misfits[:_MOST_MISFITS], 1):
        yield _misfit(number, misfit, blocks)
    if len(feedback.misfits) > _MOST_MISFITS:
        yield f"And {len(feedback.misfits) - _MOST_MISFITS} more of the same kinds."
    if feedback.output:
        yield blocks.block("output", "", "\n".join(sanitise.lines(feedback.output)))
    if feedback.accepted:
        edits = (f"- {sanitise.line(edit.path)}: {sanitise.line(edit.text)}" for edit in feedback.accepted)
        yield "\n".join(["These edits were accepted:", *edits])
    lines = [_request(feedback)]
    for path in filter(None, feedback.resend):
        lines.append(f"Send all edits of {sanitise.line(path)} again, the good ones as well.")
    if feedback.may_end:
        lines.append(f"If nothing is left to send, answer only: {DONE}")
    yield "\n".join(lines)
    if feedback.answering:
        yield f"# How to answer from now on\n\n{feedback.answering.rstrip()}"


def _request(feedback: Feedback) -> str:
    if feedback.cut and feedback.accepted:
        return (
            "An answer was cut off: send only the edits that are still missing or named above; "
            "do not repeat those that were accepted."
        )
    if feedback.unused and feedback.accepted:
        return "Send all of your last answer again, corrected; do not repeat the edits that were accepted before."
    if feedback.cut:
        return "Send it again, shorter: as few and as small edits as do the work, each complete."
    if feedback.accepted:
        return "Send only what is named above, corrected; do not repeat the edits that were accepted."
    return "Send everything again, corrected: the edits that were good as well, all against the files as shown above."


def _misfit(number: int, misfit: Misfit, blocks: Blocks) -> str:
    edit = f"edit {misfit.edit} of your last answer" if misfit.edit else ""
    where = ", ".join(filter(None, (edit, misfit.path)))
    place = f"{sanitise.line(where)}: " if where else ""
    lines = [f"{number}. {place}{sanitise.line(misfit.message)} [{sanitise.line(misfit.code)}]"]
    if misfit.candidates:
        lines.append(f"   It could be at lines {', '.join(map(str, misfit.candidates[:20]))}.")
    if misfit.advice:
        lines.append(f"   What to do: {sanitise.line(misfit.advice)}")
    if quoted := "\n".join(_quoted(misfit)):
        lines.append(blocks.block("quote", "", quoted))
    return "\n".join(lines)


def _quoted(misfit: Misfit) -> Iterator[str]:
    if nearest := misfit.nearest:
        yield f"The nearest place, line {nearest.line}; - is your answer, + is the file:"
        for found, wanted in islice(zip_longest(nearest.found, nearest.wanted), _MOST_QUOTED):
            if found == wanted:
                yield f"  {sanitise.code(found)}"
                continue
            pair = (("-", wanted), ("+", found))
            yield from (f"{sign} {sanitise.code(text)}" for sign, text in pair if text is not None)
    elif misfit.wanted:
        wanted_lines = misfit.wanted.split("\n")
        yield from map(sanitise.code, wanted_lines[:_MOST_QUOTED])
        if len(wanted_lines) > _MOST_QUOTED:
            yield f"… {len(wanted_lines) - _MOST_QUOTED} more lines"
