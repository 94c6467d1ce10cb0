"""All edits of one file together: each at its place, none over another, or all their misfits at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, takewhile

from inlay import matching
from inlay.errors import Misfit
from inlay.matching.nearest import nearest
from inlay.matching.shift import Shift, Unit
from inlay.matching.source import BLANKS, Source
from inlay.matching.wanted import Rule, Wanted
from inlay.model.edit import Block, Edit, Hunk, Op, Splice
from inlay.model.match import Match
from inlay.staging import guards
from inlay.staging.align import late_operations, operations
from inlay.staging.fit import Fit, Step, applied_before, fit, several
from inlay.staging.payload import undone
from inlay.staging.splice import splice
from inlay.staging.weave import Indentation, Region, Unsure, indentation_of, weave


@dataclass(frozen=True, slots=True)
class Updated:
    """A file's new text and how each edit got there."""

    text: str
    matches: tuple[Match, ...]
    warnings: tuple[str, ...] = ()


class Refused(Exception):
    """The edits of a file do not fit; carries every reason."""

    def __init__(self, misfits: list[Misfit]) -> None:
        super().__init__(misfits)
        self.misfits = misfits


def update(text: str, edits: tuple[Edit, ...]) -> Updated:
    """The text with all edits woven in; raises Refused with all misfits."""
    live = [edit for edit in edits if not _is_idle(edit)]
    warnings = tuple(f"edit {edit.number} changes nothing and was skipped" for edit in edits if _is_idle(edit))
    source = Source(text)
    if not live:
        # Nothing to do, but a block that is not even there shows that something else was meant.
        absent = [edit for edit in edits if fit(source, edit, matching.STRICT) is None]
        if absent:
            raise Refused([_explained(source, _not_found(edit)) for edit in absent])
        return Updated(text, (), warnings)
    _check_size(source, live)
    first: list[Misfit] | None = None
    for tries in _TRIES:
        for note, reading in chain([("", live)], undone(live)):
            try:
                done = _attempt(source, reading, tries, note)
            except Refused as refused:
                if any(misfit.code != "not-found" for misfit in refused.misfits):
                    raise
                first = first or refused.misfits
            else:
                return replace(done, warnings=warnings)
    raise Refused([_explained(source, misfit) for misfit in first or []])


def _check_size(source: Source, edits: list[Edit]) -> None:
    """A block many times as long as the file is not in it, whatever a rule forgives."""
    limit = _LONGER * len(source.norm) + _LONGER_AT_ALL
    far_too_long = [edit for edit in edits if sum(map(len, Wanted.old(_plain_ops(edit)).lines)) > limit]
    if far_too_long:
        raise Refused([_not_found(edit) for edit in far_too_long])


_LONGER, _LONGER_AT_ALL = 8, 10_000


@dataclass(frozen=True, slots=True)
class _Tries:
    rules: tuple[Rule, ...]
    already: bool  #: whether an edit may count as done before


# What a whole reply suffered explains more than "it is done already", and that more than a slip of the pen.
_TRIES = (_Tries(matching.STRICT, False), _Tries(matching.STRICT, True), _Tries(matching.LOOSE, True))


def _is_idle(edit: Edit) -> bool:
    match edit.variants[0]:
        case Block(find, new):
            return len(edit.variants) == 1 and find == new
        case Hunk(ops):
            return all(kind == " " for kind, _ in ops)
        case Splice():
            return False


def _attempt(source: Source, edits: list[Edit], tries: _Tries, note: str) -> Updated:
    matches: list[Match] = []
    waiting = edits
    while True:
        fits, missing = _fit_all(source, waiting, tries.rules)
        if not fits and missing and tries.already:
            fits, missing = _already(source, missing)
        _guard(source, fits)
        text, landed = _land(source, fits, note)
        matches += landed
        if not missing:
            return Updated(text, tuple(sorted(matches, key=lambda match: match.edit)))
        if not fits:
            raise Refused([_not_found(edit) for edit in missing])
        # What is not in the file as it was may be in what the other edits make of it.
        source, waiting = Source(text), missing


def _fit_all(source: Source, edits: list[Edit], rules: tuple[Rule, ...]) -> tuple[list[Fit], list[Edit]]:
    fits, missing, misfits = [], [], []
    alike = Counter(edit.variants for edit in edits)
    for variants, count in alike.items():
        group = [edit for edit in edits if edit.variants == variants]
        for edit, outcome in zip(group, _fit_group(source, group, rules) if count > 1 else [fit(source, group[0], rules)], strict=True):
            if outcome is None:
                missing.append(edit)
            elif isinstance(outcome, Fit):
                fits.append(outcome)
            else:
                misfits.append(outcome)
    if misfits:
        raise Refused([*misfits, *(_not_found(edit) for edit in missing)])
    return fits, missing


def _fit_group(source: Source, group: list[Edit], rules: tuple[Rule, ...]) -> list[Fit | Misfit | None]:
    """As many identical edits as there are places: one each. Hints may tell them apart; any other count is refused."""
    alone = [fit(source, edit, rules) for edit in group]
    if any(isinstance(found, Fit) for found in alone) and len({_at(found) for found in alone}) == len(group):
        return alone
    ops = _plain_ops(group[0])
    places = matching.find(source, Wanted.old(ops), rules) if ops else []
    if not places:
        return [None] * len(group)
    if len(places) == len(group):
        return [Fit(edit, (Step(ops, place),)) for edit, place in zip(group, places, strict=True)]
    count = f"{len(group)} identical edits, but {len(places)} place{'s' if len(places) > 1 else ''} for them"
    return [replace(several(edit, Wanted.old(ops).lines, places), message=count) for edit in group]


def _at(found: Fit | Misfit | None) -> int | None:
    return found.first if isinstance(found, Fit) else None


def _plain_ops(edit: Edit) -> tuple[Op, ...]:
    match edit.variants[0]:
        case Hunk(ops):
            return ops
        case Block(find, new):
            return operations(find, new)
        case Splice():
            return ()


def _already(source: Source, edits: list[Edit]) -> tuple[list[Fit], list[Edit]]:
    found = [(edit, applied_before(source, edit)) for edit in edits]
    return [done for _, done in found if done], [edit for edit, done in found if not done]


def _guard(source: Source, fits: list[Fit]) -> None:
    misfits = []
    for found in fits:
        for step in found.steps:
            added = [text for kind, text in step.ops if kind == "+"]
            is_diff = isinstance(found.edit.variants[0], Hunk)
            misfit = guards.contamination(added, source.text) or guards.lazy(step.ops, is_diff)
            if misfit:
                misfits.append(replace(misfit, edit=found.edit.number))
    if misfits:
        raise Refused(misfits)


def _land(source: Source, fits: list[Fit], note: str) -> tuple[str, list[Match]]:
    """The text with the fits woven in; refuses those that overlap or leave the result unclear."""
    indents = [[_indentation(source, step) for step in found.steps] for found in fits]
    shared = _shared_unit(indents)
    woven: list[tuple[Fit, list[Region], list[Region]]] = []
    misfits: list[Misfit] = []
    for found, known in zip(fits, indents, strict=True):
        if found.done:
            continue
        try:
            steps = list(zip(found.steps, known, strict=True))
            early = [r for step, indent in steps for r in _woven(source, step, step.ops, _share(indent, shared))]
            late = early
            if any(step.late for step in found.steps):
                late = [r for step, indent in steps for r in _woven(source, step, step.late or step.ops, _share(indent, shared))]
            woven.append((found, early, late))
            if late is not early and not _same_but_ends(source, early, late):
                raise Unsure("the lines that stay can be told from the changed ones in several ways")
        except Unsure as unsure:
            misfits.append(_unsure(found.edit, str(unsure)))
    misfits += _overlaps(source, woven)
    if misfits:
        raise Refused(misfits)
    regions = sorted((r for _, early, _ in woven for r in early), key=lambda r: (r.first, r.end))
    final = next((f.final_newline for f, *_ in woven if f.final_newline is not None), None)
    text = splice(source, regions, final)
    return text, [_match(source, found, known, note) for found, known in zip(fits, indents, strict=True)]


def _same_but_ends(source: Source, early: list[Region], late: list[Region]) -> bool:
    """Whether two alignments give the same lines; which of two equal lines keeps its trailing blanks is no matter."""
    if early == late:
        return True
    first, end = _hull(early + late)
    ways = [_hull_lines(source, regions, first, end) for regions in (early, late)]
    return ways[0] == ways[1]


def _hull_lines(source: Source, regions: list[Region], first: int, end: int) -> list[str]:
    out: list[str] = []
    for region in regions:
        out += [text for text, _ in source.own_lines(first, region.first)]
        out += region.new
        first = region.end
    out += [text for text, _ in source.own_lines(first, end)]
    return [text.rstrip(BLANKS) for text in out]


def _indentation(source: Source, step: Step) -> Indentation | None:
    return indentation_of(source, step.ops, step.place) if step.ops and any(step.place.spans) else None


def _woven(source: Source, step: Step, ops: tuple[Op, ...], indent: Indentation | None) -> list[Region]:
    if not step.place.spans:
        return [Region(0, source.count, tuple(text for kind, text in ops if kind == "+"))]
    return weave(source, ops, step.place, indent)


def _shared_unit(indents: list[list[Indentation | None]]) -> Unit | None:
    units = {i.rest.unit for known in indents for i in known if i and i.rest.unit and not i.rest.unit.deeper}
    return units.pop() if len(units) == 1 else None


def _share(indent: Indentation | None, unit: Unit | None) -> Indentation | None:
    """A reply has one indentation unit: where a place says nothing about it, the other edits' places do."""
    if indent is None or unit is None or not indent.rest.is_none or any(i.startswith(unit.old) for i in indent.seen):
        return indent
    return replace(indent, rest=Shift(unit=unit))


def _overlaps(source: Source, woven: list[tuple[Fit, list[Region], list[Region]]]) -> list[Misfit]:
    """Edits that show each other's lines are fine; edits that change the same lines, or might, are not."""
    spans = [(_extent(found), _hull(early + late), found) for found, early, late in woven if early]
    spans.sort(key=lambda entry: entry[:2])
    misfits = []
    for n, (all_a, hull_a, a) in enumerate(spans):
        for all_b, hull_b, b in takewhile(lambda entry: entry[0][0] < all_a[1], spans[n + 1 :]):
            low, high = sorted((_widest(source, a, hull_a), _widest(source, b, hull_b)))
            if all_a == all_b or low[1] >= high[0]:
                misfits.append(_overlap(a, b, hull_b[0] + 1))
    return misfits


def _widest(source: Source, found: Fit, hull: tuple[int, int]) -> tuple[int, int]:
    """All lines that the edit could be said to change, however its sides are aligned."""
    lows, highs = [hull[0]], [hull[1]]
    for step in found.steps:
        find, new = (tuple(text for kind, text in step.ops if kind != side) for side in "+-")
        if len(find) == len(step.place.spans):
            for ops in (operations(find, new), late_operations(find, new)):
                regions = weave(source, ops, step.place, Indentation(Shift()))
                lows += [r.first for r in regions]
                highs += [r.end for r in regions]
    return min(lows), max(highs)


def _overlap(a: Fit, b: Fit, line: int) -> Misfit:
    return Misfit(
        "overlap",
        f"edits {a.edit.number} and {b.edit.number} change the same lines (around line {line})",
        "Make them one edit.",
        edit=b.edit.number,
    )


def _hull(regions: list[Region]) -> tuple[int, int]:
    return min(r.first for r in regions), max(r.end for r in regions)


def _extent(found: Fit) -> tuple[int, int]:
    places = [step.place for step in found.steps if any(step.place.spans)]
    return (min(p.first for p in places), max(p.end for p in places)) if places else (0, 0)


def _match(source: Source, found: Fit, known: list[Indentation | None], note: str) -> Match:
    first, end = _extent(found)
    rule = "already applied" if found.done else found.steps[0].place.rule
    shifts = {str(i.rest) for i in known if i and not i.rest.is_none}
    adapted = (*([note] if note else []), *found.adapted, *sorted(shifts))
    return Match(found.edit.number, rule, first + 1, max(end, first + 1), adapted, found.edit.description)


def _unsure(edit: Edit, why: str) -> Misfit:
    return Misfit("unclear", why, "Quote the lines around the change exactly as they stand in the file.", edit=edit.number)


def _not_found(edit: Edit) -> Misfit:
    lines = Wanted.old(_plain_ops(edit)).lines
    return Misfit(
        "not-found",
        "the block is not in the file",
        "Copy the lines exactly from the file as it is now, with enough of them to be unique.",
        edit=edit.number,
        wanted="\n".join(lines),
    )


def _explained(source: Source, misfit: Misfit) -> Misfit:
    if misfit.wanted.strip() and misfit.wanted in source.norm:
        message = "the block begins or ends in mid-line, and replacing it would write part of that line twice"
        return replace(misfit, code="cut-line", message=message, advice="Quote whole lines.")
    return replace(misfit, nearest=nearest(source, tuple(misfit.wanted.split("\n"))))
