"""All edits of one file together: each at its place, none over another, or all their misfits at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain

from inlay.engine import matching
from inlay.engine.matching.nearest import nearest
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.engine.staging.compose import compose
from inlay.engine.staging.locate import applied_before, fit
from inlay.engine.staging.located import Fit, LocatedOps, NotLocated, not_found, script, several
from inlay.engine.staging.unescape import undone, wanted_lines
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Splice
from inlay.model.match import Match
from inlay.text.lines import Source

_LONGER, _LONGER_AT_ALL = 8, 10_000  # how much longer than the file a block may be before it is not even looked for


@dataclass(frozen=True, slots=True)
class Updated:
    text: str
    matches: tuple[Match, ...]
    warnings: tuple[str, ...] = ()


# The rules of each try, and whether an edit may count as made before: what a whole reply suffered explains more
# than "it was made before", and that more than a slip of the pen.
_TRIES = ((matching.STRICT, False), (matching.STRICT, True), (matching.LOOSE, True))


def update(text: str, edits: tuple[Edit, ...], *, in_prose: bool = False) -> Updated:
    """The text with all edits woven in; raises NotLocated with all misfits."""
    source = Source(text)
    idle = [edit for edit in edits if _is_idle(edit)]
    live = [edit for edit in edits if not _is_idle(edit)]
    # A block many times as long as the file is not in it, whatever a rule forgives.
    limit = _LONGER * len(source.norm) + _LONGER_AT_ALL
    if far_too_long := [edit for edit in edits if sum(map(len, wanted_lines(edit.variants[0]))) > limit]:
        raise NotLocated(*map(not_found, far_too_long))
    try:
        # Where nothing is left to do, a block that is not even there shows that something else was meant.
        if not live and (absent := [edit for edit in idle if fit(source, edit, matching.STRICT) is None]):
            raise NotLocated(*map(not_found, absent))
        done = _first_that_fits(source, live, in_prose) if live else Updated(source.text, ())
    except NotLocated as refusal:
        raise NotLocated(*(_explained(source, misfit) for misfit in refusal.misfits)) from None
    skipped = tuple(f"edit {edit.number} changes nothing and was skipped" for edit in idle)
    return replace(done, warnings=skipped + done.warnings)


def _is_idle(edit: Edit) -> bool:
    match edit.variants[0]:
        case Block(find, new):
            return len(edit.variants) == 1 and find == new
        case Hunk(ops):
            return all(kind == " " for kind, _ in ops)
        case Splice():
            return False


def _first_that_fits(source: Source, edits: list[Edit], in_prose: bool) -> Updated:
    """The edits as written or with a slip undone, by strict rules before loose ones; the first that all fit."""
    first: NotLocated | None = None
    for rules, already in _TRIES:
        for note, reading in chain([("", edits)], undone(edits)):
            if any(map(_is_idle, reading)):
                continue  # an edit that is about the slip itself did not suffer from it
            try:
                return _attempt(source, reading, rules, already, note, in_prose)
            except NotLocated as refusal:
                # Only what was not found may be looked for by looser rules; all else is an answer.
                if any(misfit.code != "not-found" for misfit in refusal.misfits):
                    raise
                first = first or refusal
    assert first is not None
    raise first


def _attempt(
    source: Source, edits: list[Edit], rules: tuple[Rule, ...], already: bool, note: str, in_prose: bool
) -> Updated:
    matches: list[Match] = []
    warnings: list[str] = []
    waiting = edits
    while True:
        fits, missing = _fit_all(source, waiting, rules)
        if not fits and already:
            outcomes = [(edit, applied_before(source, edit)) for edit in missing]
            fits = [outcome for _, outcome in outcomes if outcome]
            missing = [edit for edit, outcome in outcomes if not outcome]
        if not fits:
            raise NotLocated(*map(not_found, missing))
        text, landed, notes = compose(source, fits, note, in_prose)
        matches += landed
        warnings += notes
        if not missing:
            return Updated(text, tuple(sorted(matches, key=lambda match: match.edit)), tuple(warnings))
        # What is not in the file as it was may be in what the other edits make of it.
        source, waiting = Source(text), missing


def _fit_all(source: Source, edits: list[Edit], rules: tuple[Rule, ...]) -> tuple[list[Fit], list[Edit]]:
    outcomes: list[tuple[Edit, Fit | Misfit | None]] = []
    for variants, count in Counter(edit.variants for edit in edits).items():
        group = [edit for edit in edits if edit.variants == variants]
        found = _fit_group(source, group, rules) if count > 1 else [fit(source, group[0], rules)]
        outcomes += zip(group, found, strict=True)
    missing = [edit for edit, outcome in outcomes if outcome is None]
    if misfits := [outcome for _, outcome in outcomes if isinstance(outcome, Misfit)]:
        raise NotLocated(*misfits, *map(not_found, missing))
    return [outcome for _, outcome in outcomes if isinstance(outcome, Fit)], missing


def _fit_group(source: Source, group: list[Edit], rules: tuple[Rule, ...]) -> list[Fit | Misfit | None]:
    """As many identical edits as there are places: one each. Hints may tell them apart; any other count is refused."""
    alone = [fit(source, edit, rules) for edit in group]
    if len({found.extent for found in alone if isinstance(found, Fit)}) == len(group):
        return alone
    ops = script(group[0].variants[0])
    places = matching.find(source, Wanted.old(ops), rules) if ops else []
    if not places:
        return [None] * len(group)
    if len(places) == len(group):
        return [Fit(edit, (LocatedOps(ops, place),)) for edit, place in zip(group, places, strict=True)]
    message = f"{len(group)} identical edits, but {len(places)} place{'s' if len(places) > 1 else ''} for them"
    return [replace(several(edit, Wanted.old(ops).lines, places), message=message) for edit in group]


def _explained(source: Source, misfit: Misfit) -> Misfit:
    """What was not found, with the nearest place and how it differs."""
    if misfit.code != "not-found":
        return misfit
    if misfit.wanted.strip() and misfit.wanted in source.norm:
        message = "the block begins or ends in mid-line where replacing it would garble the line"
        return replace(misfit, code="cut-line", message=message, advice="Quote whole lines.")
    return replace(misfit, nearest=nearest(source, tuple(misfit.wanted.split("\n"))))
