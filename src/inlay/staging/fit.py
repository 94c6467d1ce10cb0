"""Finds the place of one edit: every way to read it is tried, and exactly one may fit."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field, replace

from inlay import matching
from inlay.errors import Misfit
from inlay.matching import elision, exact, fragment
from inlay.matching.source import Source
from inlay.matching.wanted import Rule, Wanted
from inlay.model.edit import Block, Edit, Hunk, Op, Splice, Variant
from inlay.model.match import Place
from inlay.staging import hints
from inlay.staging.align import late_operations, operations
from inlay.staging.slide import settle

_DIVIDER = re.compile(r"={5,9}")
_UNDERLINE_SLACK = 3
_TELLING = 6  # letters and digits that additions must have to be recognised
_MOST_LISTED = 200  # candidate lines named in a refusal


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of an edit and where it stands; `late` is the other way to align it, where there is one."""

    ops: tuple[Op, ...]
    place: Place
    late: tuple[Op, ...] | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """An edit with its place found."""

    edit: Edit
    steps: tuple[Step, ...]
    adapted: tuple[str, ...] = ()
    final_newline: bool | None = None  #: what a diff says about the very end of the file
    done: bool = field(default=False)  #: the file already is as the edit wants it

    @property
    def first(self) -> int:
        """The first file line of the whole edit."""
        return min(step.place.first if any(step.place.spans) else 0 for step in self.steps)


def fit(source: Source, edit: Edit, rules: tuple[Rule, ...]) -> Fit | Misfit | None:
    """The edit at its place; a misfit where several places or readings fit; None where none does."""
    outcomes = [_fit_variant(source, edit, variant, rules) for variant in edit.variants]
    fits = [outcome for outcome in outcomes if isinstance(outcome, Fit)]
    fits = _longest_find(fits)
    if len(fits) > 1 and any(_effect(source, f) != _effect(source, fits[0]) for f in fits[1:]):
        return Misfit(
            "unclear",
            "the edit can be read in several ways that all fit the file",
            "Use longer markers or fences than any line of the content.",
            edit=edit.number,
        )
    if fits:
        return _without_divider(source, fits[0])
    return next((outcome for outcome in outcomes if isinstance(outcome, Misfit)), None)


def _without_divider(source: Source, found: Fit) -> Fit | Misfit:
    """A second divider in a block is content only where it underlines a heading or the file has such lines."""
    if len(found.edit.variants) > 1:
        for step in found.steps:
            for above, (kind, text) in zip((("", ""), *step.ops), step.ops, strict=False):
                underlines = abs(len(above[1].strip()) - len(text)) <= _UNDERLINE_SLACK
                if kind == "+" and _DIVIDER.fullmatch(text) and not underlines and text not in source.norm:
                    advice = "Send one divider per block, with all of the new text below it."
                    return _refused(found.edit, "malformed", "the block has a second divider", advice)
    return found


def _longest_find(fits: list[Fit]) -> list[Fit]:
    """Of readings that differ in where FIND ends, the longest that fits at the same place is meant.

    With a shorter one REPLACE would begin with just those lines, divider included, that follow in the file.
    """
    longest = max(fits, key=lambda found: sum(len(step.place.spans) for step in found.steps), default=None)
    if longest is None or len({found.first for found in fits}) > 1 or longest.steps[0].place.rule != exact.NAME:
        return fits
    wanted = [Wanted.old(found.steps[0].ops).lines for found in fits]
    longest_lines = Wanted.old(longest.steps[0].ops).lines
    extends = all(lines == longest_lines[: len(lines)] for lines in wanted)
    return [longest] if extends and sum(lines == longest_lines for lines in wanted) == 1 else fits


def _effect(source: Source, found: Fit) -> object:
    from inlay.staging.weave import indentation_of, weave

    return [weave(source, s.ops, s.place, indentation_of(source, s.ops, s.place)) for s in found.steps]


def _fit_variant(source: Source, edit: Edit, variant: Variant, rules: tuple[Rule, ...]) -> Fit | Misfit | None:
    match variant:
        case Splice():
            return _range(source, edit, variant)
        case Hunk(ops):
            if not any(kind != "+" for kind, _ in ops):
                return _addition(source, edit, ops)
            final = None if variant.old_open == variant.new_open else not variant.new_open
            found = _located(source, edit, ops, rules)
            return replace(found, final_newline=final) if isinstance(found, Fit) else found
        case Block(find, new):
            return _block(source, edit, find, new, rules)


def _block(
    source: Source, edit: Edit, find: tuple[str, ...], new: tuple[str, ...], rules: tuple[Rule, ...]
) -> Fit | Misfit | None:
    if not any(find):
        if source.text and not (len(find) == 1 and source.norm.strip() == ""):
            return _refused(edit, "empty-find", "the FIND side is empty, but the file is not", "Quote the lines to change.")
        added: tuple[Op, ...] = tuple(("+", line) for line in new)
        return Fit(edit, (Step(added, Place((), "empty file")),))
    if edit.everywhere:
        return _everywhere(source, edit, find, new, rules)
    found = _located(source, edit, operations(find, new), rules)
    if isinstance(found, Fit):
        return _aligned(source, found, find, new)
    return found if found is not None else _in_line(source, edit, find, new)


def _aligned(source: Source, found: Fit, find: tuple[str, ...], new: tuple[str, ...]) -> Fit:
    """The fit with both ways to align its sides, once blank lines at the edges that the file lacks are dropped."""
    place = found.steps[0].place
    if len(found.steps) > 1 or len(place.spans) != len(find) or (place.rule == exact.NAME and source.is_plain):
        return found
    head = next(n for n, span in enumerate(place.spans) if span or find[n].strip())
    tail = next(n for n, span in enumerate(reversed(place.spans)) if span or find[-1 - n].strip())
    if head or tail:
        find, place = find[head : len(find) - tail], Place(place.spans[head : len(find) - tail], place.rule)
        new = _without_blanks(_without_blanks(new, head)[::-1], tail)[::-1]
    ops, late = settle(operations(find, new)), late_operations(find, new)
    return replace(found, steps=(Step(ops, place, late if late != ops else None),))


def _without_blanks(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    n = 0
    while n < min(most, len(lines)) and not lines[n].strip():
        n += 1
    return lines[n:]


def _located(source: Source, edit: Edit, ops: tuple[Op, ...], rules: tuple[Rule, ...]) -> Fit | Misfit | None:
    wanted = Wanted.old(ops)
    places = matching.find(source, wanted, rules)
    if not places and rules is matching.LOOSE:
        return _elided(source, edit, ops)
    if len(places) > 1:
        picked = hints.pick(source, edit, places)
        if picked is None:
            return several(edit, wanted.lines, places)
        return Fit(edit, (Step(ops, picked[0]),), (picked[1],))
    return Fit(edit, (Step(ops, places[0]),)) if places else None


def several(edit: Edit, lines: tuple[str, ...], places: list[Place]) -> Misfit:
    """The refusal that names every place an edit could mean."""
    at = tuple(place.first + 1 for place in places[:_MOST_LISTED])
    more = "" if len(places) < matching.MOST_PLACES else " or more"
    return Misfit(
        "ambiguous",
        f"the block stands at {len(places)}{more} places (lines {', '.join(map(str, at[:12]))}{', …' if len(at) > 12 else ''})",
        "Add lines above or below until the block is unique in the file.",
        edit=edit.number,
        wanted="\n".join(lines),
        candidates=at,
    )


def _in_line(source: Source, edit: Edit, find: tuple[str, ...], new: tuple[str, ...]) -> Fit | Misfit | None:
    found = fragment.find(source, find, new)
    text = "\n".join(find)
    if not found:
        return None
    if len(found) > 1 or source.norm.count(text) > 1:
        places = [Place.run(f.first, len(f.old), fragment.NAME) for f in found]
        picked = hints.pick(source, edit, places) if source.norm.count(text) == len(found) else None
        if picked is None:
            return several(edit, find, places)
        found = [found[places.index(picked[0])]]
    return Fit(edit, (_fragment_step(found[0]),)) if fragment.is_safe(source, find, new) else None


def _fragment_step(found: fragment.Fragment) -> Step:
    return Step(operations(found.old, found.new), Place.run(found.first, len(found.old), fragment.NAME))


def _everywhere(
    source: Source, edit: Edit, find: tuple[str, ...], new: tuple[str, ...], rules: tuple[Rule, ...]
) -> Fit | None:
    if parts := fragment.find(source, find, new, most=sys.maxsize):
        return Fit(edit, tuple(map(_fragment_step, parts)))
    ops = operations(find, new)
    places = matching.find(source, Wanted.old(ops), rules)
    apart = all(a.end <= b.first for a, b in zip(places, places[1:], strict=False))
    return Fit(edit, tuple(Step(ops, place) for place in places)) if places and apart else None


def _range(source: Source, edit: Edit, variant: Splice) -> Fit | Misfit:
    start, end = variant.start - 1, variant.end
    if not 0 <= start <= end <= source.count:
        return _refused(
            edit,
            "range",
            f"lines {variant.start} to {variant.end} are not in the file, which has {source.count}",
            "Lines count from 1, both ends are included, and an insertion has end = start - 1.",
        )
    old = tuple(source.lines[start:end])
    ops = operations(old, variant.new) if old else tuple(("+", line) for line in variant.new)
    place = Place.run(start, len(old), "range") if old else Place(((start, start),), "range")
    return Fit(edit, (Step(ops if old else (*_nothing(), *ops), place),))


def _nothing() -> tuple[Op, ...]:
    """A removal of no lines, which gives an insertion a place to stand."""
    return (("-", ""),)


def _addition(source: Source, edit: Edit, ops: tuple[Op, ...]) -> Fit | Misfit:
    """A hunk of additions only: it says where by its section, by the end of the file, or not at all."""
    if not source.text:
        return Fit(edit, (Step(ops, Place((), "empty file")),))
    if edit.sections and (within := hints.section(source, edit.sections)) is not None:
        at, rule = within[0] + 1, "section"
    elif edit.at_end:
        at, rule = source.count, "end of file"
    else:
        return _refused(
            edit,
            "no-anchor",
            "the edit only adds lines and does not say where",
            "Add unchanged lines above and below as context.",
            tuple(text for _, text in ops),
        )
    return Fit(edit, (Step((*_nothing(), *ops), Place(((at, at),), rule)),))


def _elided(source: Source, edit: Edit, ops: tuple[Op, ...]) -> Fit | Misfit | None:
    """Stretches between marks: those that change something must be unique, the others must be there."""
    stretches = elision.pieces(ops)
    if stretches is None:
        return None
    steps, above = [], 0
    for piece in stretches:
        wanted = Wanted.old(piece)
        places = [p for p in matching.find(source, wanted)] if wanted.lines else []
        if not elision.is_changed(piece):
            later = [place for place in places if place.first >= above]
            if not later:
                return None
            above = above if steps else min(place.end for place in later)
            continue
        if len(places) != 1:
            return several(edit, wanted.lines, places) if places else None
        if places[0].first < above:
            return None
        above = places[0].end
        steps.append(Step(piece, Place(places[0].spans, places[0].rule)))
    return Fit(edit, tuple(steps), ("elided lines kept",)) if steps else None


def _refused(edit: Edit, code: str, message: str, advice: str, lines: tuple[str, ...] = ()) -> Misfit:
    return Misfit(code, message, advice, edit=edit.number, wanted="\n".join(lines))


def applied_before(source: Source, edit: Edit) -> Fit | None:
    """The edit, if the file already is what it would make of it."""
    for variant in edit.variants:
        ops = _ops(variant)
        new = Wanted.new(ops)
        # A deletion leaves no trace, and a bare `}` stands anywhere: only telling additions show an edit made before.
        added = sum(ch.isalnum() for kind, text in ops if kind == "+" for ch in text)
        if added >= _TELLING and len(places := matching.find(source, new, matching.STRICT[:4])) == 1:
            return Fit(edit, (Step((), places[0]),), done=True)
    return None


def _ops(variant: Variant) -> tuple[Op, ...]:
    match variant:
        case Hunk(ops):
            return ops
        case Block(find, new):
            return operations(find, new)
        case Splice():
            return ()
