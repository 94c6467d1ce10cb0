"""Weaves all located edits of a file into one new text, or says which of them collide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import add

from inlay.engine.checks.rules import placeholders
from inlay.engine.matching.rules import exact
from inlay.engine.matching.shift import Shift, Unit
from inlay.engine.staging.align import late_operations, operations
from inlay.engine.staging.located import Fit, LocatedOps, NotLocated, refused
from inlay.engine.staging.weave import Indentation, Region, Unsure, indentation_of, weave
from inlay.errors import Misfit
from inlay.model.edit import Hunk, Op
from inlay.model.match import IN_PLACE, Match
from inlay.text.lines import BLANKS, Source

_LETTERS_A_PAIR = 500  # as costly to search as two edits are to compare


@dataclass(frozen=True, slots=True)
class Composed:
    """The new text, how each edit got there, warnings, and what each edit changed, in file order."""

    text: str
    matches: list[Match]
    warnings: list[str]
    written: list[tuple[int, Region]]  #: number of the edit, lines of the old text and what they became


def compose(source: Source, fits: list[Fit], note: str, in_prose: bool) -> Composed:
    """All edits woven into the text; raises NotLocated with every reason."""
    source.work.spend(lines=sum(len(step.ops) for found in fits for step in found.steps))
    _guard(source, fits, in_prose)
    indents = {
        found.edit.number: [
            indentation_of(source, step.ops, step.place) if step.ops and step.stands else None for step in found.steps
        ]
        for found in fits
    }
    units = {i.rest.unit for own in indents.values() for i in own if i and i.rest.unit and not i.rest.unit.deeper}
    unit = units.pop() if len(units) == 1 else None
    woven: list[tuple[Fit, list[Region]]] = []
    misfits: list[Misfit] = []
    for found in fits:
        shared = [_shared(indent, unit) for indent in indents[found.edit.number]]
        try:
            regions = [] if found.done or found.is_shared else _woven(source, found, shared)
            if regions and _changes_nothing(source, found, regions):
                raise Unsure("at the only place that it nearly fits, the edit would change nothing")
            woven.append((found, regions))
        except Unsure as unsure:
            advice = "Quote the lines around the change exactly as they are in the file."
            misfits.append(refused(found.edit, "unclear", str(unsure), advice))
    misfits += overlaps(source, woven)
    if misfits:
        raise NotLocated(*misfits)
    written = [(found.edit.number, region) for found, regions in woven for region in regions]
    written.sort(key=lambda entry: (entry[1].first, entry[1].end))
    final = next((found.final_newline for found in fits if found.final_newline is not None), None)
    matches = [_match(found, indents[found.edit.number], note) for found in fits]
    text = splice(source, [region for _, region in written], final)
    return Composed(text, matches, _repeats(source, woven), written)


def _guard(source: Source, fits: list[Fit], in_prose: bool) -> None:
    misfits = []
    for found in fits:
        is_diff = isinstance(found.edit.variants[0], Hunk)
        for step in found.steps:
            placeholder = placeholders.in_edit(step.ops, is_diff=is_diff, in_prose=in_prose)
            if placeholder is not None:
                message = f"the replacement has {placeholder!r} instead of the lines themselves"
                advice = "Write out every line of the replacement, or elide the same lines in both FIND and REPLACE."
                misfits.append(refused(found.edit, "elided", message, advice))
    if misfits:
        raise NotLocated(*misfits)


def _woven(source: Source, found: Fit, known: list[Indentation | None]) -> list[Region]:
    """The regions an edit changes; it must not matter which of its equal lines are taken for the kept ones."""
    early = _regions(source, found, known, lambda step: step.ops)
    if any(step.late for step in found.steps):
        late = _regions(source, found, known, lambda step: step.late or step.ops)
        if early != late and _lines(source, early, hull(early + late)) != _lines(source, late, hull(early + late)):
            raise Unsure("the unchanged lines can be paired in several ways")
    return early


def _changes_nothing(source: Source, found: Fit, regions: list[Region]) -> bool:
    """Whether a place that differs from the block is what the edit would make of it: then it is not the place meant."""
    if all(step.place.rule == exact.NAME for step in found.steps):
        return False
    return all([text for text, _ in source.own_lines(r.first, r.end)] == list(r.new) for r in regions)


def _regions(
    source: Source, found: Fit, known: list[Indentation | None], side: Callable[[LocatedOps], tuple[Op, ...]]
) -> list[Region]:
    regions: list[Region] = []
    for step, indentation in zip(found.steps, known, strict=True):
        if step.place.spans:
            regions += weave(source, side(step), step.place, indentation)
        else:
            regions.append(Region(0, source.count, tuple(text for kind, text in step.ops if kind == "+")))
    return regions


def _lines(source: Source, regions: list[Region], within: tuple[int, int]) -> list[str]:
    """What the lines become; which of two equal lines keeps its trailing blanks is no matter."""
    first, out = within[0], list[str]()
    for region in regions:
        out += [text for text, _ in source.own_lines(first, region.first)]
        out += region.new
        first = region.end
    out += [text for text, _ in source.own_lines(first, within[1])]
    return [text.rstrip(BLANKS) for text in out]


def _shared(indent: Indentation | None, unit: Unit | None) -> Indentation | None:
    """A reply has one indentation unit: where a place says nothing about it, the other edits' places do."""
    if indent is None or unit is None or not indent.rest.is_none or any(i.startswith(unit.old) for i in indent.seen):
        return indent
    return replace(indent, rest=Shift(unit=unit))


def _match(found: Fit, known: list[Indentation | None], note: str) -> Match:
    first, end = found.extent
    rule = IN_PLACE if found.done else found.steps[0].place.rule
    shifts = {str(i.rest) for i in known if i and not i.rest.is_none}
    adapted = (*([note] if note else []), *found.adapted, *sorted(shifts))
    return Match(found.edit.number, rule, first + 1, max(end, first + 1), adapted, found.edit.description)


def _repeats(source: Source, woven: list[tuple[Fit, list[Region]]]) -> list[str]:
    """Edits whose last new line stands right below them already, which is how a model doubles a closing brace."""
    warnings = []
    for found, regions in woven:
        end = found.extent[1]
        for region in regions:
            below = source.own_lines(region.end, region.end + 1) if region.end >= end else []
            if region.new and region.new[-1].strip() and below and below[0][0] == region.new[-1]:
                warnings.append(f"edit {found.edit.number} ends with the line that follows it in the file")
    return warnings


def overlaps(source: Source, woven: list[tuple[Fit, list[Region]]]) -> list[Misfit]:
    """A misfit for every pair of edits that change the same lines, or might."""
    found = sorted(((fit.extent, fit, regions) for fit, regions in woven if regions), key=lambda entry: entry[0])
    misfits = []
    reaches: dict[int, tuple[int, int]] = {}
    for n, (shown, fit, _) in enumerate(found):
        for m in range(n + 1, len(found)):
            other_shown, other, _ = found[m]
            if other_shown[0] >= shown[1]:
                break
            source.work.spend(letters=_LETTERS_A_PAIR)
            for k in {n, m} - reaches.keys():
                reaches[k] = _reach(source, *found[k][1:])
            low, high = sorted((reaches[n], reaches[m]))
            if shown == other_shown or low[1] >= high[0]:
                numbers = f"{fit.edit.number} and {other.edit.number}"
                message = f"edits {numbers} change the same lines (around line {high[0] + 1})"
                misfits.append(Misfit("overlap", message, "Make them one edit.", edit=other.edit.number))
    return misfits


def hull(regions: list[Region]) -> tuple[int, int]:
    return min(region.first for region in regions), max(region.end for region in regions)


def _reach(source: Source, fit: Fit, regions: list[Region]) -> tuple[int, int]:
    """All lines that an edit could be said to change, however its sides are aligned."""
    every = list(regions)
    for step in fit.steps:
        find, new = (tuple(text for kind, text in step.ops if kind != side) for side in "+-")
        if len(find) == len(step.place.spans):
            for align in (operations, late_operations):
                try:
                    every += weave(source, align(find, new), step.place, Indentation(Shift()))
                except Unsure:
                    return fit.extent
    return hull(every)


def splice(source: Source, regions: list[Region], final_newline: bool | None = None) -> str:
    """The text with all regions replaced; `final_newline` overrides what the file had at its very end."""
    out: list[str] = []
    at = 0
    for region in regions:
        start, end = source.own_offset(region.first), source.own_offset(region.end)
        # Behind the new lines of another region, a line begins even where the file's last one has no ending.
        is_open = start > 0 and source.text[start - 1] not in "\r\n" and not (start == at and out and out[-1])
        out.append(source.text[at:start])
        out.append(_ended(source, region, is_open=is_open))
        at = end
    text = "".join([*out, source.text[at:]])
    # A final newline that was absent stays absent.
    was_open = bool(source.text) and source.text[-1] not in "\r\n"
    if final_newline is None and not (was_open and regions and at == len(source.text)):
        return text
    bare = text.removesuffix("\n").removesuffix("\r")
    return bare + _ending(source, source.count) if final_newline and bare else bare


def _ended(source: Source, region: Region, *, is_open: bool) -> str:
    """The new lines with their endings; `is_open` says that the line above them has none."""
    if not region.new:
        return ""
    if source.is_plain and not is_open:
        return "\n".join(region.new) + "\n"
    above = _ending(source, region.first)
    lead = above if is_open else ""
    # A changed line keeps its own ending; lines beyond those that were there take that of the last of them.
    own = [ending for _, ending in source.own_lines(region.first, region.end) if ending] or [above]
    endings = (own[min(n, len(own) - 1)] for n in range(len(region.new)))
    return lead + "".join(map(add, region.new, endings))


def _ending(source: Source, line: int) -> str:
    """The ending of the line above, else of the line itself, else a plain newline."""
    if source.is_plain:
        return "\n"
    for n in (line - 1, line, line - 2):
        if 0 <= n < source.count and (own := source.own_lines(n, n + 1)) and own[0][1]:
            return own[0][1]
    return "\n"
