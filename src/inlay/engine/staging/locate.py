"""Finds the place of one edit: every way to read it is tried, and exactly one may fit."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from itertools import pairwise

from inlay.engine import matching
from inlay.engine.formats.sign_slips import readings
from inlay.engine.matching import fragment
from inlay.engine.matching.probe import exact_offsets, most_places
from inlay.engine.matching.rules import exact
from inlay.engine.matching.wanted import Rule, Wanted
from inlay.engine.staging import anchors
from inlay.engine.staging.align import late_operations, operations
from inlay.engine.staging.evidence import Evidence
from inlay.engine.staging.located import Fit, LocatedOps, refused, several
from inlay.engine.staging.slide import settle
from inlay.engine.staging.weave import Region, Unsure, indentation_of, weave
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Op, Splice, Variant
from inlay.model.match import Place
from inlay.text.lines import Source, TooCostly, indent_of

_TELLING = 2  # letters and digits of a line that tells an indentation
_DIVIDER = re.compile(r"={5,9}")
_UNDERLINE_SLACK = 1  # letters by which an underline may miss its heading
_ODD = re.compile(r"^ (?:  )*+[^ \n]", re.M)
_MIXED = re.compile(r"^ \t", re.M)
_LONE_BLANK = re.compile(r"^ $", re.M)
_PLUS = re.compile(r"^\+", re.M)


def fit(source: Source, edit: Edit, rules: tuple[Rule, ...], evidence: Evidence) -> Fit | Misfit | None:
    """The edit at its place; a misfit where several places or readings fit; None where none does."""
    outcomes = [_fit_variant(source, edit, variant, rules, evidence) for variant in edit.variants]
    fits = [outcome for outcome in outcomes if isinstance(outcome, Fit)]
    hunks = [variant for variant in edit.variants if isinstance(variant, Hunk)]
    if hunks and not any(found.steps[0].place.rule == exact.NAME for found in fits):
        fits += _with_slips(source, edit, hunks, evidence)
    if hunks and fits and not evidence.is_base and (doubt := _sign_doubt(source, fits[0].steps[0])):
        return refused(edit, "unclear", doubt, "Begin every line of the hunk with exactly one space, - or +.")
    if fits:
        return choose(source, fits)
    return next((outcome for outcome in outcomes if isinstance(outcome, Misfit)), None)


def _with_slips(source: Source, edit: Edit, hunks: list[Hunk], evidence: Evidence) -> list[Fit]:
    """The hunks with their signs read another way, where the file proves it: as they are they fit nowhere exactly."""
    hunks = [hunk for hunk in hunks if any(kind != "+" for kind, _ in hunk.ops)]
    if any(exact.find(source, Wanted.old(hunk.ops)) for hunk in hunks):
        return []
    slips = [slip for hunk in hunks for slip in readings(hunk)]
    outcomes = [_fit_variant(source, edit, slip, (exact.find,), evidence) for slip in slips]
    return [outcome for outcome in outcomes if isinstance(outcome, Fit)]


def _sign_doubt(source: Source, step: LocatedOps) -> str:
    """Why the added lines may not be meant as they are; empty where nothing speaks against them."""
    written = [text for kind, text in step.ops if kind == "+"]
    added = [text for text in written if text.strip()]
    if not written or not step.stands:
        return ""
    if not added:
        odd = all(text == " " for text in written) and _LONE_BLANK.search(source.norm) is None
        return "every added line is a lone blank, and no line of the file is" if odd else ""
    if any(kind == "-" and text for kind, text in step.ops):
        return ""
    indentation = indentation_of(source, step.ops, step.place)
    if indentation is not None and indentation.rest.add == " ":
        return "the unchanged lines of the hunk seem to lack the blank that marks them"
    if indentation is not None and indentation.rest.cut:
        return ""  # the unchanged lines have it too
    if all(text.startswith("+") for text in added) and not _PLUS.search(source.norm):
        return "every added line begins with a second +, and no line of the file begins so"
    for shape in (_ODD, _MIXED):
        if all(shape.match(text) for text in added) and not shape.search(source.norm):
            return "every added line has a blank more than any line of the file is indented by"
    return ""


def _fit_variant(
    source: Source, edit: Edit, variant: Variant, rules: tuple[Rule, ...], evidence: Evidence
) -> Fit | Misfit | None:
    match variant:
        case Splice():
            return anchors.by_range(source, edit, variant)
        case Hunk(ops):
            final = None if variant.old_open == variant.new_open else not variant.new_open
            if all(kind == "+" for kind, _ in ops):
                found: Fit | Misfit | None = anchors.addition(source, edit, ops, evidence)
            else:
                found = _located(source, edit, ops, rules, evidence)
            return replace(found, final_newline=final) if isinstance(found, Fit) else found
        case Block(find, new):
            if not any(find):
                return anchors.whole(source, edit, new)
            if edit.everywhere:
                return _everywhere(source, edit, find, new, rules)
            found = _located(source, edit, operations(find, new), rules, evidence)
            if isinstance(found, Fit):
                return _aligned(source, found, find, new)
            return found or _in_line(source, edit, find, new, evidence)


def _located(
    source: Source, edit: Edit, ops: tuple[Op, ...], rules: tuple[Rule, ...], evidence: Evidence
) -> Fit | Misfit | None:
    wanted = Wanted.old(ops)
    places = matching.find(source, wanted, rules)
    if not places:
        return anchors.elided(source, edit, ops) if rules is matching.LOOSE else None
    chosen = evidence.choose(edit, wanted.lines, places)
    if isinstance(chosen, Misfit):
        return chosen
    return Fit(edit, (LocatedOps(ops, chosen[0]),), (chosen[1],) if chosen[1] else ())


def _aligned(source: Source, found: Fit, find: tuple[str, ...], new: tuple[str, ...]) -> Fit | Misfit:
    """The fit with both ways to align its sides, once blank lines at the edges that the file lacks are dropped."""
    place = found.steps[0].place
    if len(found.steps) > 1 or len(place.spans) != len(find) or (place.rule == exact.NAME and source.is_plain):
        return found
    lost = _lost_indentation(source, place, find, new)
    if lost is None:
        message = "FIND lacks the file's indentation, and it is not clear whether REPLACE has it"
        return refused(found.edit, "unclear", message, "Indent both blocks exactly as the file is.", find)
    if lost:
        # REPLACE is indented as the file is, so the file's own lines are what it replaces.
        find = tuple(source.line(span[0]) if span else line for line, span in zip(find, place.spans, strict=True))
    head = next(n for n, span in enumerate(place.spans) if span or find[n].strip())
    tail = next(n for n, span in enumerate(reversed(place.spans)) if span or find[-1 - n].strip())
    if head or tail:
        find, place = find[head : len(find) - tail], Place(place.spans[head : len(find) - tail], place.rule)
        new = _without_blanks(_without_blanks(new, head)[::-1], tail)[::-1]
    ops, late = settle(operations(find, new)), late_operations(find, new)
    return replace(found, steps=(LocatedOps(ops, place, late if late != ops else None),))


def _lost_indentation(source: Source, place: Place, find: tuple[str, ...], new: tuple[str, ...]) -> bool | None:
    """Whether only FIND is indented otherwise than the file; None where nothing tells."""
    pairs = [
        (indent_of(line), indent_of(source.line(span[0])), line.strip())
        for line, span in zip(find, place.spans, strict=True)
        if span and line.strip()
    ]
    if all(wanted == own for wanted, own, _ in pairs) or any(span and span[1] - span[0] > 1 for span in place.spans):
        return False
    indents: dict[str, set[tuple[str, str]]] = {}
    for wanted, own, core in pairs:
        if sum(map(str.isalnum, core)) >= _TELLING:
            indents.setdefault(core, set()).add((wanted, own))
    if (shown := _edges_tell(pairs, new)) is not None:
        return shown
    repeated = [(indent_of(line), known) for line in new if (known := indents.get(line.strip()))]
    as_find = sum(any(indent == wanted for wanted, _ in known) for indent, known in repeated)
    as_file = sum(all(indent == own != wanted for wanted, own in known) for indent, known in repeated)
    if as_find or as_file:
        # A line or two that FIND has elsewhere may be new ones that happen to be indented so.
        return False if as_find > 2 * as_file else None if as_find else True
    least = [min((indent_of(line) for line in side if line.strip()), key=len, default="") for side in (find, new)]
    own_least = min((own for _, own, _ in pairs), key=len)
    return None if least[1] == own_least != least[0] else False


def _edges_tell(pairs: list[tuple[str, str, str]], new: tuple[str, ...]) -> bool | None:
    """The same, by the first and the last line where both sides have the same there; None where they do not tell."""
    solid = [line for line in new if line.strip()]
    edges = [(pairs[n], indent_of(solid[n])) for n in (0, -1) if solid and solid[n].strip() == pairs[n][2]]
    as_find = any(indent == wanted for (wanted, _, _), indent in edges)
    as_file = any(indent == own != wanted for (wanted, own, _), indent in edges)
    return None if as_find == as_file else as_file


def _without_blanks(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    n = 0
    while n < min(most, len(lines)) and not lines[n].strip():
        n += 1
    return lines[n:]


def _in_line(
    source: Source, edit: Edit, find: tuple[str, ...], new: tuple[str, ...], evidence: Evidence
) -> Fit | Misfit | None:
    """The block as a part of lines, where it occurs once letter by letter."""
    parts = fragment.find(source, find, new)
    if not parts:
        return None
    places = [Place.run(part.first, len(part.old), fragment.NAME) for part in parts]
    if source.norm.count("\n".join(find)) != len(parts):
        return several(edit, find, places)  # twice in one line
    chosen = evidence.choose(edit, find, places)
    if isinstance(chosen, Misfit):
        return chosen
    part = parts[places.index(chosen[0])]
    adapted = (chosen[1],) if chosen[1] else ()
    return Fit(edit, (_within(part),), adapted) if fragment.is_safe(source, part, find, new) else None


def _within(part: fragment.Fragment) -> LocatedOps:
    return LocatedOps(operations(part.old, part.new), Place.run(part.first, len(part.old), fragment.NAME))


def _everywhere(
    source: Source, edit: Edit, find: tuple[str, ...], new: tuple[str, ...], rules: tuple[Rule, ...]
) -> Fit | None:
    if parts := fragment.find(source, find, new, most=sys.maxsize):
        return Fit(edit, tuple(map(_within, parts)))
    ops = operations(find, new)
    places = matching.find(source, Wanted.old(ops), rules)
    if len(places) >= most_places(find):
        raise TooCostly  # there may be more places than were listed, and all of them are meant
    apart = all(above.end <= below.first for above, below in pairwise(places))
    return Fit(edit, tuple(LocatedOps(ops, place) for place in places)) if places and apart else None


def choose(source: Source, fits: list[Fit]) -> Fit | Misfit:
    """The reading that is meant, or a misfit when several would do different things."""
    fits = _longest_find(fits)
    edit = fits[0].edit
    if len(fits) > 1 and any(_effect(source, found) != _effect(source, fits[0]) for found in fits[1:]):
        message = "the edit can be read in several ways that all fit the file"
        return refused(edit, "unclear", message, "Use longer markers or fences than any line of the content.")
    if len(edit.variants) > 1 and _writes_divider(source, fits[0]):
        advice = "Send one divider per block, with all of the new text below it."
        return refused(edit, "malformed", "the block has a second divider", advice)
    return fits[0]


def _longest_find(fits: list[Fit]) -> list[Fit]:
    """Of readings that differ in where FIND ends, the longest that fits at the same place is meant.

    With a shorter one REPLACE would begin with just those lines, divider included, that follow in the file.
    """
    wanted = [Wanted.old(found.steps[0].ops).lines for found in fits]
    longest = max(wanted, key=len)
    extends = all(lines == longest[: len(lines)] for lines in wanted) and wanted.count(longest) == 1
    together = len({found.extent[0] for found in fits}) == 1
    best = fits[wanted.index(longest)]
    return [best] if extends and together and best.steps[0].place.rule == exact.NAME else fits


def _effect(source: Source, found: Fit) -> list[list[Region]] | str:
    try:
        return [
            weave(source, step.ops, step.place, indentation_of(source, step.ops, step.place)) if step.stands else []
            for step in found.steps
        ]
    except Unsure as unsure:
        return str(unsure)


def _writes_divider(source: Source, found: Fit) -> bool:
    """A second divider is content only where it underlines a heading or the file has such lines."""
    for step in found.steps:
        texts = ["", *(text for kind, text in step.ops if kind != "-"), ""]
        for n, (kind, text) in enumerate(op for op in step.ops if op[0] != "-"):
            if kind == "+" and _DIVIDER.fullmatch(text) and not exact_offsets(source, (text,)):
                above, below = texts[n].strip(), texts[n + 2].strip()
                if below or abs(len(above) - len(text)) > _UNDERLINE_SLACK:
                    return True
    return False
