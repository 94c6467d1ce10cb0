"""Tells edits that merely show each other's lines from edits that change the same ones."""

from __future__ import annotations

from inlay.engine.matching.shift import Shift
from inlay.engine.staging.align import late_operations, operations
from inlay.engine.staging.located import Fit
from inlay.engine.staging.weave import Indentation, Region, Unsure, weave
from inlay.errors import Misfit
from inlay.text.lines import Source


def overlaps(source: Source, woven: list[tuple[Fit, list[Region]]]) -> list[Misfit]:
    """A misfit for every pair of edits that change the same lines, or might."""
    found = sorted(((fit.extent, fit, regions) for fit, regions in woven if regions), key=lambda entry: entry[0])
    misfits = []
    for n, (shown, fit, regions) in enumerate(found):
        for other_shown, other, other_regions in found[n + 1 :]:
            if other_shown[0] >= shown[1]:
                break
            low, high = sorted((_reach(source, fit, regions), _reach(source, other, other_regions)))
            if shown == other_shown or low[1] >= high[0]:
                misfits.append(_misfit(fit, other, high[0] + 1))
    return misfits


def hull(regions: list[Region]) -> tuple[int, int]:
    """The lines from the first to after the last that regions touch."""
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


def _misfit(fit: Fit, other: Fit, line: int) -> Misfit:
    message = f"edits {fit.edit.number} and {other.edit.number} change the same lines (around line {line})"
    return Misfit("overlap", message, "Make them one edit.", edit=other.edit.number)
