"""Edits of phrases within the same lines: they become one change where none touches another's letters."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from inlay.engine.matching import fragment
from inlay.engine.staging.align import operations
from inlay.engine.staging.located import Fit, LocatedOps
from inlay.model.edit import Block
from inlay.model.match import Place
from inlay.text.lines import Source


def joined(source: Source, fits: list[Fit]) -> list[Fit]:
    """The same fits, with phrases of the same lines replaced by the first of them and the others marked as shared."""
    phrases = sorted((entry for found in fits if (entry := _phrase(source, found))), key=lambda entry: entry[0])
    changed: dict[int, Fit] = {}
    group: list[tuple[int, int, Fit]] = []
    for entry in phrases:
        if group and entry[2].extent[0] >= max(found.extent[1] for _, _, found in group):
            changed |= _combined(source, group)
            group = []
        group.append(entry)
    changed |= _combined(source, group)
    return [changed.get(found.edit.number, found) for found in fits] if changed else fits


def _phrase(source: Source, found: Fit) -> tuple[int, int, Fit] | None:
    """Where the letters of an edit begin and end that replaces part of a line."""
    match found.edit.variants:
        case (Block(find=lines),) if len(found.steps) == 1 and found.steps[0].place.rule == fragment.NAME:
            text = "\n".join(lines)
            at = source.norm.find(text, source.offset(found.extent[0]))
            return at, at + len(text), found
    return None


def _combined(source: Source, group: list[tuple[int, int, Fit]]) -> dict[int, Fit]:
    if len(group) < 2 or any(above[1] > below[0] for above, below in pairwise(group)):
        return {}
    first, end = group[0][2].extent[0], max(found.extent[1] for _, _, found in group)
    old = tuple(source.line(n) for n in range(first, end))
    out, at = [], source.offset(first)
    for start, stop, found in group:
        variant = found.edit.variants[0]
        assert isinstance(variant, Block)
        out += [source.norm[at:start], "\n".join(variant.replace)]
        at = stop
    out.append(source.norm[at : source.offset(end - 1) + len(old[-1])])
    place = Place.run(first, end - first, fragment.NAME)
    step = LocatedOps(operations(old, tuple("".join(out).split("\n"))), place)
    lead, *others = (found for _, _, found in group)
    changed = {found.edit.number: replace(found, is_shared=True) for found in others}
    return changed | {lead.edit.number: replace(lead, steps=(step,))}
