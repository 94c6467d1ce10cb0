"""Diffs whose sign column slipped: context without the blank that marks it, or added lines with one blank too many."""

from __future__ import annotations

from inlay.engine.staging.located import Fit, refused
from inlay.engine.staging.weave import indentation_of
from inlay.errors import Misfit
from inlay.text.lines import Source, indent_of, is_blank


def sign_slip(source: Source, found: Fit) -> Misfit | None:
    """A refusal where the blanks of added lines cannot be told from the sign column."""
    for step in found.steps:
        added = [text for kind, text in step.ops if kind == "+" and not is_blank(text)]
        if not step.stands or not added:
            continue
        indentation = indentation_of(source, step.ops, step.place)
        if indentation is not None and indentation.rest.add == " ":
            message = "the unchanged lines of the hunk seem to lack the blank that marks them"
        elif _has_blank_too_many(source, found, added):
            message = "the added lines of the hunk seem to have a blank too many after their sign"
        else:
            continue
        advice = "Begin every unchanged line with one space, and write added lines right after their +."
        return refused(found.edit, "unclear", message, advice)
    return None


def _has_blank_too_many(source: Source, found: Fit, added: list[str]) -> bool:
    """Whether all added lines are one blank deeper than any line of the file could be."""
    indents = [indent_of(text) for text in added]
    if all(indent.startswith(" \t") for indent in indents):
        return "\n \t" not in source.norm
    unit = source.indent_unit
    if not unit or any("\t" in indent or len(indent) % unit != 1 for indent in indents):
        return False
    first, end = found.extent
    near = {len(indent_of(line)) for line in source.run(max(0, first - 1), end - first + 2) if not is_blank(line)}
    return len(indents[0]) - 1 in near
