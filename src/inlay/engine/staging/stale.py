"""Edits of a file that has changed since the model saw it: located in what it saw, merged with the file as it is."""

from __future__ import annotations

from dataclasses import replace

from inlay.engine.matching.rules import exact, near, tokens, trailing
from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.unescape import wanted_lines
from inlay.engine.staging.update import Updated, update
from inlay.errors import Misfit, Nearest
from inlay.model.edit import Edit
from inlay.model.file import BaseText
from inlay.model.match import Match
from inlay.text.edit_script import Run
from inlay.text.lines import TooCostly
from inlay.text.three_way import MergeConflict, line_changes, merge

_VERBATIM = frozenset({exact.NAME, trailing.NAME})
_ALREADY = "already applied"
_DOUBTFUL = frozenset({tokens.NAME, near.NAME, _ALREADY})
_ADVICE = "Read the file as it is now, and write the edit for it."


def update_stale(
    now: str, base: BaseText, edits: tuple[Edit, ...], *, in_prose: bool = False, is_base: bool | None = None
) -> Updated:
    """The file's text with all edits; the base says where they belong. Raises NotLocated with all misfits.

    `is_base` says whether the edits were made from the file's text itself, where that is known.
    """
    seen = with_endings_of(base.text, now)
    try:
        wanted = update(seen, edits, in_prose=in_prose, is_base=base.is_named or None)
    except NotLocated as refusal:
        if any(misfit.code != "not-found" for misfit in refusal.misfits):
            raise
        # The reply quotes something else, such as what an earlier reply has made of the file.
        return update(now, edits, in_prose=in_prose, is_base=is_base)
    if seen in (now, wanted.text):
        return update(now, edits, in_prose=in_prose, is_base=is_base)
    changes = line_changes(seen, now)
    merged = merge(seen, now, wanted.text)
    matches = tuple(_moved(match, changes, base.note) for match in wanted.matches)
    if merged.conflicts:
        # Even where the block is in the file word by word: the change may have been made already, next to it.
        raise NotLocated(*(_conflict(conflict, wanted.matches, base) for conflict in merged.conflicts))
    if merged.text == now:
        matches = tuple(replace(match, rule=_ALREADY) for match in matches)
    return Updated(merged.text, matches, wanted.warnings)


def has_every_block(text: str, edits: tuple[Edit, ...]) -> bool:
    """Whether a text has all blocks of the edits, each in one place, but for blanks at the ends of lines."""
    norm = text.replace("\r\n", "\n")
    return all(_longest(edit).rstrip() in norm for edit in edits) and _rules(text, edits) <= _VERBATIM


def is_origin(text: str, edits: tuple[Edit, ...]) -> bool:
    """Whether edits that name a text as their base fit it."""
    return not _rules(text, edits, is_base=True) & _DOUBTFUL


def _rules(text: str, edits: tuple[Edit, ...], *, is_base: bool | None = None) -> frozenset[str]:
    """How the edits were found."""
    try:
        return frozenset(match.rule for match in update(text, edits, is_base=is_base).matches) or _DOUBTFUL
    except (NotLocated, TooCostly):
        return _DOUBTFUL


def _longest(edit: Edit) -> str:
    """The longest line that the edit quotes, which is the least likely to be in a text by chance."""
    return max((line for variant in edit.variants[:1] for line in wanted_lines(variant)), key=len, default="")


def with_endings_of(text: str, other: str) -> str:
    """A text with the line endings of another one, where either has one kind only: git may convert them."""
    if "\r\n" in other and "\r" not in text and other.count("\r\n") == other.count("\n"):
        return text.replace("\n", "\r\n")
    if "\r" not in other and text.count("\r\n") == text.count("\n"):
        return text.replace("\r\n", "\n")
    return text


def _moved(match: Match, changes: list[Run], note: str) -> Match:
    """A match in the base as one in the file."""
    first = _line_now(match.line, changes)
    end = max(first, _line_now(match.end_line, changes))
    return replace(match, line=first, end_line=end, adapted=(*match.adapted, note))


def _line_now(line: int, changes: list[Run]) -> int:
    shift = 0
    for start, end, new_start, new_end in changes:
        if line <= start:
            break
        if line <= end:
            return min(new_start + line - start, max(new_end, new_start + 1))
        shift = new_end - end
    return line + shift


def _conflict(conflict: MergeConflict, matches: tuple[Match, ...], base: BaseText) -> Misfit:
    """Both sides of a conflict: what the reply wants there, and what the file has."""
    at = conflict.base_line
    nearby = min(matches, key=lambda match: max(match.line - at, at - match.end_line, 0))
    last = conflict.line + len(conflict.ours) - 1
    lines = f"lines {conflict.line}-{last} have" if last > conflict.line else f"line {conflict.line} has"
    message = f"{lines} changed since {base.origin}, and the edit changes the same or the next line differently"
    differing = [n for n, line in enumerate(conflict.theirs) if n >= len(conflict.ours) or conflict.ours[n] != line]
    nearest = Nearest(conflict.line, conflict.ours, conflict.theirs, tuple(differing))
    return Misfit("stale-conflict", message, _ADVICE, edit=nearby.edit, nearest=nearest)
