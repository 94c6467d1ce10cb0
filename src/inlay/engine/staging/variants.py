"""Chooses between the ways an edit's markup can be read: exactly one effect may remain."""

from __future__ import annotations

import re

from inlay.engine.matching.probe import exact_offsets
from inlay.engine.matching.rules import exact
from inlay.engine.matching.wanted import Wanted
from inlay.engine.staging.located import Fit, refused
from inlay.engine.staging.weave import Region, Unsure, indentation_of, weave
from inlay.errors import Misfit
from inlay.text.lines import Source

_DIVIDER = re.compile(r"={5,9}")
_UNDERLINE_SLACK = 1  # letters by which an underline may miss its heading


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
            if kind == "+" and _DIVIDER.fullmatch(text) and not exact_offsets(source.norm, (text,)):
                above, below = texts[n].strip(), texts[n + 2].strip()
                if below or abs(len(above) - len(text)) > _UNDERLINE_SLACK:
                    return True
    return False
