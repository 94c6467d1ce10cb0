"""What is known of an edit once it was looked for: its places, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inlay.codes import Code
from inlay.engine.matching import MOST_PLACES
from inlay.engine.matching.wanted import Wanted
from inlay.engine.staging.align import operations
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Op, Splice, Variant
from inlay.model.match import Place

_MOST_LISTED = 200  # candidate lines in a refusal
_MOST_NAMED = 12  # of them in its message


@dataclass(frozen=True, slots=True)
class LocatedOps:
    """One stretch of an edit and where it stands; `late` is the other way to align it, where there is one."""

    ops: tuple[Op, ...]
    place: Place
    late: tuple[Op, ...] | None = None

    @property
    def stands(self) -> bool:
        """Whether the stretch has lines of the file to stand on; an empty file has none."""
        return any(self.place.spans)


@dataclass(frozen=True, slots=True)
class Fit:
    edit: Edit
    steps: tuple[LocatedOps, ...]
    adapted: tuple[str, ...] = ()
    final_newline: bool | None = None  #: what a diff says about the very end of the file
    done: bool = False  #: the file already is as the edit wants it
    is_shared: bool = False  #: its change is part of another fit on the same lines

    @property
    def extent(self) -> tuple[int, int]:
        """The file lines from the first to after the last that the edit shows."""
        places = [step.place for step in self.steps if step.stands]
        return (min(p.first for p in places), max(p.end for p in places)) if places else (0, 0)


class NotLocated(Exception):
    """The edits of a file do not fit; carries every reason."""

    def __init__(self, *misfits: Misfit) -> None:
        super().__init__(*misfits)
        self.misfits = misfits


def script(variant: Variant) -> tuple[Op, ...]:
    """A variant as operations; a splice has none before it meets a file."""
    match variant:
        case Hunk(ops):
            return ops
        case Block(find, new):
            return operations(find, new)
        case Splice():
            return ()


def refused(edit: Edit, code: Code, message: str, advice: str, lines: tuple[str, ...] = ()) -> Misfit:
    return Misfit(code, message, advice, edit=edit.number, wanted="\n".join(lines))


def several(edit: Edit, lines: tuple[str, ...], places: list[Place]) -> Misfit:
    at = tuple(place.first + 1 for place in places[:_MOST_LISTED])
    count = f"{len(places)}{'' if len(places) < MOST_PLACES else ' or more'}"
    named = ", ".join(map(str, at[:_MOST_NAMED])) + (", …" if len(at) > _MOST_NAMED else "")
    advice = "Add lines above or below until the block is unique in the file."
    misfit = refused(edit, "ambiguous", f"the block occurs {count} times (lines {named})", advice, lines)
    return replace(misfit, candidates=at)


def contradicted(edit: Edit, lines: tuple[str, ...], place: Place, section: str, heading: int) -> Misfit:
    """The block fits one place, and the reply names another."""
    named = f"{section.strip()!r} (line {heading + 1})"
    message = f"the block fits line {place.first + 1}, but the reply says it is in {named}, and it is not there"
    advice = "Quote the lines of that section as they are now, or name the section that the block is in."
    misfit = refused(edit, "contradiction", message, advice, lines)
    return replace(misfit, candidates=(place.first + 1, heading + 1))


def not_found(edit: Edit) -> Misfit:
    advice = "Copy the lines exactly from the file as it is now, with enough of them to be unique."
    lines = Wanted.old(script(edit.variants[0])).lines
    return refused(edit, "not-found", "the block is not in the file", advice, lines)
