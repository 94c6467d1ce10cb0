"""What a model is told when its answer cannot be used as it is: what was wrong, what is held, what to send now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inlay.errors import Misfit, Nearest
from inlay.prompts import sanitise
from inlay.prompts.blocks import Blocks

#: What a model answers when nothing is left to send.
DONE = "ALL EDITS SENT"
_MOST_QUOTED = 20
_MOST_MISFITS = 30


@dataclass(frozen=True, slots=True)
class Held:
    """An edit that fits and waits for the others."""

    path: str
    what: str  #: its description, or its first lines


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why an answer was not used."""

    summary: str  #: one sentence
    misfits: tuple[Misfit, ...] = ()
    output: str = ""  #: what a command printed
    held: tuple[Held, ...] = ()
    redo: tuple[str, ...] = ()  #: files of which all edits are wanted again
    unused: bool = False  #: nothing of the last answer is held, though something from before may be
    cut: bool = False  #: the answer ended too early, and the rest of it is wanted
    may_end: bool = False  #: there may be nothing left to send
    answering: str = ""  #: how to answer from now on, where that changes


def message(complaint: Complaint, blocks: Blocks) -> str:
    """The next turn of the conversation; everything before it stays as it was."""
    return "\n\n".join(_sections(complaint, blocks)) + "\n"


def _sections(complaint: Complaint, blocks: Blocks) -> Iterator[str]:
    yield f"{sanitise.line(complaint.summary)}\nNothing was written; all files are as shown above."
    for number, misfit in enumerate(complaint.misfits[:_MOST_MISFITS], 1):
        yield _told(number, misfit, blocks)
    if len(complaint.misfits) > _MOST_MISFITS:
        yield f"And {len(complaint.misfits) - _MOST_MISFITS} more of the same kinds."
    if complaint.output:
        yield blocks.block("output", "", "\n".join(sanitise.lines(complaint.output)))
    if complaint.held:
        yield "\n".join(["These edits fit and are held:", *(_held(each) for each in complaint.held)])
    yield _wanted(complaint)
    if complaint.answering:
        yield f"# How to answer from now on\n\n{complaint.answering.rstrip()}"


def _held(each: Held) -> str:
    return f"- {sanitise.line(each.path)}: {sanitise.line(each.what)}"


def _wanted(complaint: Complaint) -> str:
    lines = [_missing(complaint)]
    lines += [
        f"Send all edits of {sanitise.line(path)} again, the good ones as well." for path in complaint.redo if path
    ]
    lines += [f"If nothing is left to send, answer only: {DONE}"] * complaint.may_end
    return "\n".join(lines)


def _missing(complaint: Complaint) -> str:
    if complaint.cut and complaint.held:
        return (
            "An answer was cut off: send only the edits that are still missing or named above; "
            "do not repeat those that are held."
        )
    if complaint.unused and complaint.held:
        return "Send all of your last answer again, corrected; do not repeat the edits that are held from before."
    if complaint.cut:
        return "Send it again, shorter: as few and as small edits as do the work, each complete."
    if complaint.held:
        return "Send only what is named above, corrected; do not repeat the edits that are held."
    return "Send everything again, corrected: the edits that were good as well, all against the files as shown above."


def _told(number: int, misfit: Misfit, blocks: Blocks) -> str:
    where = [f"edit {misfit.edit} of your last answer"] * bool(misfit.edit) + [misfit.path] * bool(misfit.path)
    lines = [f"{number}. {sanitise.line(', '.join(where))}{': ' * bool(where)}{sanitise.line(misfit.message)}"]
    lines[0] += f" [{sanitise.line(misfit.code)}]"
    if misfit.candidates:
        lines.append(f"   It could stand at lines {', '.join(map(str, misfit.candidates[:20]))}.")
    if misfit.advice:
        lines.append(f"   What to do: {sanitise.line(misfit.advice)}")
    if quoted := "\n".join(_quoted(misfit)):
        lines.append(blocks.block("quote", "", quoted))
    return "\n".join(lines)


def _quoted(misfit: Misfit) -> Iterator[str]:
    if misfit.nearest:
        yield from _compared(misfit.nearest)
    elif misfit.wanted:
        wanted = misfit.wanted.split("\n")
        yield from map(sanitise.code, wanted[:_MOST_QUOTED])
        if len(wanted) > _MOST_QUOTED:
            yield f"… {len(wanted) - _MOST_QUOTED} more lines"


def _compared(nearest: Nearest) -> Iterator[str]:
    yield f"The nearest place, line {nearest.line}; - is your answer, + is the file:"
    for found, wanted in _pairs(nearest.found, nearest.wanted):
        if found == wanted:
            yield f"  {sanitise.code(found or '')}"
            continue
        yield from (f"{sign} {sanitise.code(text)}" for sign, text in (("-", wanted), ("+", found)) if text is not None)


def _pairs(found: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    for n in range(min(max(len(found), len(wanted)), _MOST_QUOTED)):
        yield (found[n] if n < len(found) else None), (wanted[n] if n < len(wanted) else None)
