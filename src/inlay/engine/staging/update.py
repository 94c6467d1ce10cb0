"""All edits of one file together: each at its place, none over another, or all their misfits at once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import chain

from inlay.engine import matching
from inlay.engine.formats.hunk_titles import titled
from inlay.engine.matching.nearest import nearest, resembling
from inlay.engine.matching.probe import exact_offsets
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.engine.staging.chain import Chain
from inlay.engine.staging.compose import compose
from inlay.engine.staging.evidence import Evidence, out_of_order
from inlay.engine.staging.in_place import made_before
from inlay.engine.staging.locate import fit
from inlay.engine.staging.located import Fit, LocatedOps, NotLocated, not_found, refused, script, several
from inlay.engine.staging.phrases import joined
from inlay.engine.staging.unescape import one_sided, undone, wanted_lines
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Splice, Variant
from inlay.model.match import Match
from inlay.text.lines import Source

_LONGER, _LONGER_AT_ALL = 8, 10_000  # how much longer than the file a block may be before it is not even looked for
_MOST_EXPLAINED = 20  # misfits that are shown with the nearest place


@dataclass(frozen=True, slots=True)
class Updated:
    text: str
    matches: tuple[Match, ...]
    warnings: tuple[str, ...] = ()


# The rules of each try, and whether an edit may count as made before: what a whole reply suffered explains more
# than "it was made before", and that more than a slip of the pen.
_TRIES = ((matching.STRICT, False), (matching.STRICT, True), (matching.LOOSE, True))


def update(text: str, edits: tuple[Edit, ...], *, in_prose: bool = False, is_base: bool | None = None) -> Updated:
    """The text with all edits woven in; raises NotLocated with all misfits.

    `is_base` says whether the text is the very one that the edits were made from, where that is known.
    """
    source = Source(text)
    edits = _titled(source, edits)
    idle = [edit for edit in edits if _is_idle(edit)]
    live = [edit for edit in edits if not _is_idle(edit)]
    # A block many times as long as the file is not in it, whatever a rule forgives.
    limit = _LONGER * len(source.norm) + _LONGER_AT_ALL
    if far_too_long := [edit for edit in edits if sum(map(len, wanted_lines(edit.variants[0]))) > limit]:
        raise NotLocated(*map(not_found, far_too_long))
    try:
        evidence = Evidence(source, edits, is_base)
        if absent := [edit for edit in idle if _meant_something(source, edit, evidence, is_alone=not live)]:
            raise NotLocated(*map(not_found, absent))
        done = _first_that_fits(source, live, in_prose, is_base) if live else Updated(source.text, ())
    except NotLocated as refusal:
        written = {edit.number: edit for edit in edits}
        explained = [_explained(source, misfit, written) for misfit in refusal.misfits[:_MOST_EXPLAINED]]
        raise NotLocated(*explained, *refusal.misfits[_MOST_EXPLAINED:]) from None
    skipped = tuple(f"edit {edit.number} changes nothing and was skipped" for edit in idle)
    return replace(done, warnings=skipped + done.warnings)


def _titled(source: Source, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    found = [(edit, titled(edit, source.lines) if edit.sections else edit) for edit in edits]
    if unclear := [edit for edit, read in found if read is None]:
        message = "the line of a hunk's @@ ends with a change, or with a section that the file does not have"
        advice = "Begin every removed or added line on a line of its own."
        raise NotLocated(*(refused(edit, "unclear", message, advice) for edit in unclear))
    return tuple(read for _, read in found if read)


def _is_idle(edit: Edit) -> bool:
    match edit.variants[0]:
        case Block(find, new):
            return len(edit.variants) == 1 and find == new
        case Hunk(ops):
            return all(kind == " " for kind, _ in ops)
        case Splice():
            return False


def _meant_something(source: Source, edit: Edit, evidence: Evidence, *, is_alone: bool) -> bool:
    """Whether an edit that changes nothing is not even there, and so meant something else.

    A hunk without signs lost them. Other blocks that are neither in the file nor like anything in it are noise beside
    edits that do something.
    """
    if fit(source, edit, matching.STRICT, evidence) is not None:
        return False
    is_hunk = isinstance(edit.variants[0], Hunk)
    return is_alone or is_hunk or resembling(source, wanted_lines(edit.variants[0]), ()) is not None


def _first_that_fits(source: Source, edits: list[Edit], in_prose: bool, is_base: bool | None) -> Updated:
    """The edits as written or with a slip undone, by strict rules before loose ones; the first that all fit."""
    refusals: list[NotLocated] = []
    edits, notes = one_sided(edits)
    for rules, already in _TRIES:
        for note, reading in chain([("", edits)], undone(edits)):
            if any(map(_is_idle, reading)):
                continue  # an edit that is about the slip itself did not suffer from it
            attempt = _Attempt(source, reading, rules, already, "; ".join(filter(None, (*notes, note))), in_prose)
            try:
                return attempt.run(is_base)
            except NotLocated as refusal:
                # Only what was not found may be looked for by looser rules; all else is an answer.
                if any(misfit.code != "not-found" for misfit in refusal.misfits):
                    raise
                refusals.append(refusal)
    # Edits that fit by some other reading are not to blame.
    raise min(refusals, key=lambda refusal: len(refusal.misfits))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """The edits in one reading, looked for by some of the rules."""

    source: Source
    edits: list[Edit]
    rules: tuple[Rule, ...]
    already: bool  #: whether an edit may count as made before
    note: str
    in_prose: bool

    def run(self, is_base: bool | None) -> Updated:
        evidence = Evidence(self.source, self.edits, is_base)
        fits, missing = self._fit_all(evidence)
        if misfit := out_of_order(fits):
            raise NotLocated(misfit)
        if self.already and missing:
            # Only the file as it was can show that: what this reply writes proves nothing about an earlier one.
            fits += made_before(self.source, missing, fits, evidence)
            found = {fit.edit.number for fit in fits}
            missing = [edit for edit in missing if edit.number not in found]
        if not fits:
            raise NotLocated(*map(not_found, missing))
        composed = compose(self.source, fits, self.note, self.in_prose)
        matches, warnings, text = composed.matches, composed.warnings, composed.text
        if missing:
            # What is not in the file as it was may be in what earlier edits made of it.
            links = Chain(self.source, composed, fits, self.note, self.in_prose)
            links.add_all(missing)
            matches, warnings, text = matches + links.matches, warnings + links.warnings, links.text
        return Updated(text, tuple(sorted(matches, key=lambda match: match.edit)), tuple(warnings))

    def _fit_all(self, evidence: Evidence) -> tuple[list[Fit], list[Edit]]:
        groups: dict[tuple[Variant, ...], list[Edit]] = defaultdict(list)
        for edit in self.edits:
            groups[edit.variants].append(edit)
        outcomes: list[tuple[Edit, Fit | Misfit | None]] = []
        for group in groups.values():
            alone = [fit(self.source, edit, self.rules, evidence) for edit in group]
            outcomes += zip(group, self._told_apart(group, alone) if len(group) > 1 else alone, strict=True)
        missing = [edit for edit, outcome in outcomes if outcome is None]
        if misfits := [outcome for _, outcome in outcomes if isinstance(outcome, Misfit)]:
            raise NotLocated(*misfits, *map(not_found, missing))
        return joined(self.source, [outcome for _, outcome in outcomes if isinstance(outcome, Fit)]), missing

    def _told_apart(self, group: list[Edit], alone: list[Fit | Misfit | None]) -> list[Fit | Misfit | None]:
        """As many identical edits as there are places: one each. Any other count is refused, unless hints tell."""
        if len({found.extent for found in alone if isinstance(found, Fit)}) == len(group):
            return alone
        ops = script(group[0].variants[0])
        places = matching.find(self.source, Wanted.old(ops), self.rules) if ops else []
        if not places:
            return [None] * len(group)
        if len(places) == len(group):
            return [Fit(edit, (LocatedOps(ops, place),)) for edit, place in zip(group, places, strict=True)]
        message = f"{len(group)} identical edits, but {len(places)} place{'s' if len(places) > 1 else ''} for them"
        return [replace(several(edit, Wanted.old(ops).lines, places), message=message) for edit in group]


def _explained(source: Source, misfit: Misfit, edits: dict[int, Edit]) -> Misfit:
    """What was not found, with the nearest place and how it differs, and where the new text is already."""
    if misfit.code != "not-found":
        return misfit
    if misfit.wanted.strip() and misfit.wanted in source.norm:
        message = "the block begins or ends in mid-line where replacing it would garble the line"
        return replace(misfit, code="cut-line", message=message, advice="Quote whole lines.")
    edit = edits.get(misfit.edit)
    new = Wanted.new(script(edit.variants[0])).lines if edit else ()
    message = misfit.message
    if any(line.strip() for line in new) and (places := exact_offsets(source, new)):
        message += f"; line {source.line_at(places[0]) + 1} has the new text, but nothing shows that it was meant"
    return replace(misfit, message=message, nearest=nearest(source, tuple(misfit.wanted.split("\n"))))
