"""Keeps the edits that fit while the others are asked for again; nothing of them is written before all fit.

All staging starts from the files as the model saw them. What is held is held as edits, not as results, so that held
and new edits are located together each time, and one that no longer goes with the others is noticed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inlay.engine import staging
from inlay.errors import EditsRefused, Misfit
from inlay.model.edit import Edit, Part, Reading, Splice, Update
from inlay.model.file import Snapshot
from inlay.text.edit_script import runs

_MOST_TRIED = 20  # refused edits that are tried one by one; a reply with more is better sent again
# Reasons that lie between edits, so that neither of them can be called good.
_BETWEEN = frozenset({"overlap", "named-twice"})


@dataclass(frozen=True, slots=True)
class Sorted:
    """What a reply and the edits held before come to."""

    held: tuple[Part, ...]  #: everything that fits, together
    misfits: tuple[Misfit, ...] = ()
    redo: tuple[str, ...] = ()  #: files of which nothing is held, so that all of their edits are wanted again
    arrived: Mapping[str, int] = field(default_factory=dict)  #: by file, how many edits fit that were not held before
    missing: Mapping[str, int] = field(default_factory=dict)  #: by file, how many are to be sent again


def sort_out(fresh: Sequence[Part], held: Sequence[Part], snapshot: Snapshot) -> Sorted:
    """Held and new parts file by file: what fits together, and what does not."""
    paths = dict.fromkeys(str(part.path) for part in (*held, *fresh))
    done = [
        _sort_file([p for p in held if p.path == path], [p for p in fresh if p.path == path], snapshot)
        for path in paths
    ]
    return Sorted(
        tuple(part for each in done for part in each.held),
        tuple(misfit for each in done for misfit in each.misfits),
        tuple(path for each in done for path in each.redo),
        {path: count for each in done for path, count in each.arrived.items()},
        {path: count for each in done for path, count in each.missing.items()},
    )


def size(parts: Iterable[Part]) -> int:
    """How many edits there are; a whole file counts as one."""
    return sum(len(part.edits) if isinstance(part, Update) else 1 for part in parts)


def _sort_file(held: list[Part], fresh: list[Part], snapshot: Snapshot) -> Sorted:
    path = str((held or fresh)[0].path)
    if not fresh:
        return Sorted(tuple(held))
    if not all(isinstance(part, Update) for part in fresh):
        # A whole file, a new one or a deletion says all there is to say about its file.
        return _staged(path, fresh, snapshot)
    if held and not all(map(_only_edits, (*held, *fresh))):
        return Sorted((), (_mixed(path),), (path,), missing={path: 1})
    if not all(map(_only_edits, fresh)):
        return _staged(path, fresh, snapshot)
    return _sort_located(path, _edits(held), _edits(fresh), snapshot)


def _staged(path: str, parts: Sequence[Part], snapshot: Snapshot) -> Sorted:
    try:
        staging.stage(Reading("", tuple(parts)), snapshot)
    except EditsRefused as refusal:
        return Sorted((), refusal.misfits, (path,), missing={path: 1})
    return Sorted(tuple(parts), arrived={path: sys.maxsize})


def _sort_located(path: str, held: list[Edit], fresh: list[Edit], snapshot: Snapshot) -> Sorted:
    """Edits that quote what they change; those that only count lines are set aside."""
    blind = tuple(_range_only(path, edit) for edit in fresh if isinstance(edit.variants[0], Splice))
    found = _sort_edits(path, held, [edit for edit in fresh if not isinstance(edit.variants[0], Splice)], snapshot)
    missing = {path: found.missing.get(path, 0) + len(blind)} if blind else found.missing
    return replace(found, misfits=blind + found.misfits, missing=missing)


def _sort_edits(path: str, held: list[Edit], fresh: list[Edit], snapshot: Snapshot) -> Sorted:
    new = _without_repeats(path, held, fresh, snapshot)
    top = max((edit.number for edit in fresh), default=0)
    # Numbers above those of the reply: a misfit's number then tells whether an edit was held before.
    edits = [*(replace(edit, number=top + n) for n, edit in enumerate(held, 1)), *new]
    refusal = _refusal(path, edits, snapshot) if edits else None
    if refusal is None:
        return Sorted((Update(path, tuple(edits)),) if edits else (), arrived={path: len(new)})
    bad = {misfit.edit for misfit in refusal.misfits}
    if 0 in bad or max(bad) > top or any(misfit.code in _BETWEEN for misfit in refusal.misfits):
        if held and _says_it_all(path, held, fresh, snapshot):
            return Sorted((Update(path, tuple(fresh)),), arrived={path: sys.maxsize})
        misfits = tuple(_worded(misfit, top) for misfit in refusal.misfits) if held else refusal.misfits
        # Of two that change the same lines, one is enough.
        between = sum(misfit.code in _BETWEEN for misfit in misfits)
        return Sorted((), misfits, (path,), missing={path: max(1, len(new) - between)})
    return _partly(path, edits, refusal.misfits, snapshot, len(held))


def _says_it_all(path: str, held: list[Edit], fresh: list[Edit], snapshot: Snapshot) -> bool:
    """Whether the new edits alone do what the held ones do and more: a model that was asked for some of its edits
    may send all of them again, cut up otherwise."""
    texts = [_result(path, edits, snapshot) for edits in (held, fresh)]
    file = next((file for known, file in snapshot.files.items() if str(known) == path), None)
    if file is None or None in texts:
        return False
    before, some, all_ = (str(text).splitlines(keepends=True) for text in (file.text, *texts))
    return _changes(before, some) < _changes(before, all_)


def _changes(before: list[str], after: list[str]) -> set[tuple[int, int, tuple[str, ...]]]:
    return {(old, end, tuple(after[new:stop])) for old, end, new, stop in runs(before, after)}


def _partly(path: str, edits: list[Edit], misfits: tuple[Misfit, ...], snapshot: Snapshot, before: int) -> Sorted:
    """The edits that fit without the refused ones, and the misfits of those that do not."""
    bad = {misfit.edit for misfit in misfits}
    tried = sorted(bad) if len(bad) <= _MOST_TRIED else []
    for number in tried:
        # Strict rules speak first, and may have blamed an edit that a looser one would have placed.
        if _refusal(path, [edit for edit in edits if edit.number not in bad - {number}], snapshot) is None:
            bad.discard(number)
    good = tuple(edit for edit in edits if edit.number not in bad)
    if not good or _refusal(path, good, snapshot) is not None:
        # An edit that was sent twice may be a stutter, so that once is enough.
        return Sorted((), misfits, (path,), missing={path: len({edit.variants for edit in edits})})
    left = tuple(misfit for misfit in misfits if misfit.edit in bad)
    return Sorted((Update(path, good),), left, (), {path: len(good) - before}, {path: len(bad)})


def _refusal(path: str, edits: Iterable[Edit], snapshot: Snapshot) -> EditsRefused | None:
    try:
        staging.stage(Reading("", (Update(path, tuple(edits)),)), snapshot)
    except EditsRefused as refusal:
        return refusal
    return None


def _without_repeats(path: str, held: list[Edit], fresh: list[Edit], snapshot: Snapshot) -> list[Edit]:
    """The new edits without those that are held already: the same words, or the same effect."""
    known = Counter(edit.variants for edit in held)
    effects = {effect for edit in held if (effect := _effect(path, edit, snapshot)) is not None}
    new: list[Edit] = []
    for edit in fresh:
        if known[edit.variants] > 0:
            known[edit.variants] -= 1
        elif not effects or _effect(path, edit, snapshot) not in effects:
            new.append(edit)
    return new


def _effect(path: str, edit: Edit, snapshot: Snapshot) -> str | None:
    """What the file would be with this edit alone; None where it does not fit alone."""
    return _result(path, (edit,), snapshot)


def _result(path: str, edits: Iterable[Edit], snapshot: Snapshot) -> str | None:
    try:
        return staging.stage(Reading("", (Update(path, tuple(edits)),)), snapshot).changes[0].after
    except EditsRefused:
        return None


def _only_edits(part: Part) -> bool:
    return isinstance(part, Update) and part.move_to is None


def _edits(parts: Iterable[Part]) -> list[Edit]:
    return [edit for part in parts if isinstance(part, Update) for edit in part.edits]


def _worded(misfit: Misfit, top: int) -> Misfit:
    """A misfit between a held edit and a new one, without numbers that the last answer does not have."""
    if misfit.code in _BETWEEN:
        message = "an edit of the last answer changes the same lines as one that was held"
        return replace(misfit, message=message, advice="Send one edit that does both, or only the one that is meant.")
    return replace(misfit, edit=0) if misfit.edit > top else misfit


def _range_only(path: str, edit: Edit) -> Misfit:
    message = "the edit is placed by its range alone, and lines are easily miscounted"
    advice = "Give oldText: the lines to replace, or for an insertion the line beside it, repeated in newText."
    return Misfit("range-only", message, advice, path=path, edit=edit.number)


def _mixed(path: str) -> Misfit:
    message = "what the last answer does to this file does not go with what is held of it"
    return Misfit("held-conflict", message, "Send either the whole file or edits of the file as shown.", path=path)
