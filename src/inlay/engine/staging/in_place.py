"""Edits that the file shows to be made already.

The new text alone proves nothing, since it may be somewhere else by itself. Unchanged lines around it must show the
place, or the old text be much like the new; the removed lines must be gone from there, and nothing like the old text
may be left anywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from inlay.engine.matching.nearest import ALIKE, likeness, resembling
from inlay.engine.matching.rules import exact, indentation, trailing
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.engine.staging.evidence import Evidence
from inlay.engine.staging.located import Fit, LocatedOps, script
from inlay.errors import Misfit
from inlay.model.edit import Edit, Op
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source

_TELLING = 2  # letters and digits that additions, and the lines around them, must have to be recognised
_TELLING_LINE = 4  # letters and digits of a removed line that would be noticed
_FAINTLY_ALIKE = 0.5  # share of letters from which a place speaks against an edit that shows no context
_MOST_LEFT = 1 / 3  # share of the removed lines that may be near the place all the same
# Look-alikes are left out: an edit may be about them.
_RULES: tuple[Rule, ...] = (exact.find, trailing.find, indentation.find)


def made_before(source: Source, edits: Sequence[Edit], fits: Sequence[Fit], evidence: Evidence) -> list[Fit]:
    """Those of the edits that were made before; `fits` are the other edits of the reply, whose places are theirs."""
    taken = [found.extent for found in fits]
    made = [in_place for edit in edits if (in_place := _in_place(source, edit, taken, evidence, ALIKE))]
    if made:
        # Where other edits of the reply were made before, the new text may be less like the old.
        taken += [found.extent for found in made]
        numbers = {found.edit.number for found in made}
        rest = (edit for edit in edits if edit.number not in numbers)
        made += [found for edit in rest if (found := _in_place(source, edit, taken, evidence, _FAINTLY_ALIKE))]
    return made


def _in_place(
    source: Source, edit: Edit, taken: list[tuple[int, int]], evidence: Evidence, likeness_needed: float
) -> Fit | None:
    for variant in edit.variants:
        ops = script(variant)
        new, old = Wanted.new(ops), Wanted.old(ops)
        # A bare `}` is anywhere: only telling additions show an edit made before, or the lines on both sides of a gap.
        if _letters(ops, "+") < _TELLING and not _closes_gap(ops):
            continue
        has_context = _letters(ops, " ") >= _TELLING
        if not has_context and likeness(old.lines, new.lines) < likeness_needed:
            continue
        places = next((places for rule in _rules(ops) if (places := rule(source, new))), [])
        if len(places) != 1 or isinstance(evidence.choose(edit, new.lines, places), Misfit):
            continue
        others = [*taken, (places[0].first, places[0].end)]
        alike = ALIKE if has_context else _FAINTLY_ALIKE
        if not _are_left(source, ops, places[0]) and resembling(source, old.lines, others, alike) is None:
            return Fit(edit, (LocatedOps((), places[0]),), done=True)
    return None


def _letters(ops: tuple[Op, ...], wanted: str) -> int:
    return sum(letter.isalnum() for kind, text in ops if kind == wanted for letter in text)


def _closes_gap(ops: tuple[Op, ...]) -> bool:
    """Whether an edit only removes lines, all together, from between others that tell enough to be recognised."""
    kinds = "".join(kind for kind, _ in ops)
    if "+" in kinds or "-" not in kinds or " " in kinds.strip(" "):
        return False
    gap = kinds.index("-"), kinds.rindex("-") + 1
    return min(_letters(ops[: gap[0]], " "), _letters(ops[gap[1] :], " ")) >= _TELLING_LINE


def _rules(ops: tuple[Op, ...]) -> tuple[Rule, ...]:
    """An edit that changes blanks is made only where the very blanks are there."""
    if _letters(ops, "+") < _TELLING:
        return _RULES[:1]
    removed, added = ({text.strip(BLANKS) for kind, text in ops if kind == wanted} - {""} for wanted in "-+")
    return _RULES if removed.isdisjoint(added) else _RULES[:1]


def _are_left(source: Source, ops: tuple[Op, ...], place: Place) -> bool:
    """Whether many of the lines that the edit removes are still around the place."""
    kept = {text.strip(BLANKS) for kind, text in ops if kind != "-"}
    removed = [core for kind, text in ops if kind == "-" and (core := text.strip(BLANKS)) not in kept]
    removed = [core for core in removed if sum(map(str.isalnum, core)) >= _TELLING_LINE]
    reach = len(ops)
    first = max(0, place.first - reach)
    around = {line.strip(BLANKS) for line in source.run(first, place.end - first + reach)}
    return sum(core in around for core in removed) > _MOST_LEFT * len(removed)
