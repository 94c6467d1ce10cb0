"""Edits that say where they belong otherwise than by their lines: a range, a section, the end, marks of elision."""

from __future__ import annotations

from inlay.engine import matching
from inlay.engine.checks.rules.placeholders import is_placeholder
from inlay.engine.matching.wanted import Wanted
from inlay.engine.staging.align import operations
from inlay.engine.staging.evidence import Evidence
from inlay.engine.staging.located import Fit, LocatedOps, refused, several
from inlay.errors import Misfit
from inlay.model.edit import Edit, Op, Splice
from inlay.model.match import Place
from inlay.text.lines import Source


def by_range(source: Source, edit: Edit, splice: Splice) -> Fit | Misfit:
    """Lines named by number; nothing but the bounds can be checked."""
    start, end = splice.start - 1, splice.end
    if not 0 <= start <= end <= source.count:
        message = f"lines {splice.start} to {splice.end} are not in the file, which has {source.count}"
        advice = "Lines count from 1, both ends are included, and an insertion has end = start - 1."
        return refused(edit, "range", message, advice)
    old = tuple(source.lines[start:end])
    if old:
        return Fit(edit, (LocatedOps(operations(old, splice.new), Place.run(start, len(old), "range")),))
    added: tuple[Op, ...] = tuple(("+", line) for line in splice.new)
    return Fit(edit, (LocatedOps((("-", ""), *added), Place(((start, start),), "range")),))


def whole(source: Source, edit: Edit, lines: tuple[str, ...]) -> Fit | Misfit:
    """New lines with nothing to find: they may fill an empty file."""
    if source.norm.strip():
        message = "the FIND side is empty, but the file is not"
        return refused(edit, "empty-find", message, "Quote the lines to change.")
    return Fit(edit, (LocatedOps(tuple(("+", line) for line in lines), Place((), "empty file")),))


def addition(source: Source, edit: Edit, ops: tuple[Op, ...], evidence: Evidence) -> Fit | Misfit:
    """A hunk of additions only: it says where by its number, its section, by the end of the file, or not at all."""
    if not source.text:
        return Fit(edit, (LocatedOps(ops, Place((), "empty file")),))
    if (placed := evidence.addition(edit, ops)) is not None:
        return placed
    message = "the edit only adds lines and does not say where"
    if edit.line is not None:
        message = f"the edit only adds lines, and nothing but the number {edit.line} says where"
    lines = tuple(text for _, text in ops)
    return refused(edit, "no-anchor", message, "Add unchanged lines above and below as context.", lines)


def elided(source: Source, edit: Edit, ops: tuple[Op, ...]) -> Fit | Misfit | None:
    """Stretches between marks: those that change something must be unique, the others must be there, in order."""
    steps: list[LocatedOps] = []
    below = 0
    for piece in _pieces(ops):
        wanted = Wanted.old(piece)
        places = [place for place in _places(source, wanted) if place.first >= below]
        if not places:
            return None
        if all(kind == " " for kind, _ in piece):
            below = below if steps else min(place.end for place in places)
            continue
        if len(everywhere := _places(source, wanted)) > 1:
            return several(edit, wanted.lines, everywhere)
        below = places[0].end
        steps.append(LocatedOps(piece, places[0]))
    return Fit(edit, tuple(steps), ("elided lines kept",)) if steps else None


def _pieces(ops: tuple[Op, ...]) -> list[tuple[Op, ...]]:
    """The stretches of an edit between its marks; none where there is no mark, or one is not simply kept."""
    pieces: list[list[Op]] = [[]]
    for kind, text in ops:
        if not is_placeholder(text):
            pieces[-1].append((kind, text))
        elif kind == " ":
            pieces.append([])
        else:
            return []
    return [tuple(piece) for piece in pieces if piece] if len(pieces) > 1 else []


def _places(source: Source, wanted: Wanted) -> list[Place]:
    return matching.find(source, wanted) if wanted.lines else []
