"""Keeps the edits that fit while the others are requested again, and counts those that are still to come.

All staging starts from the files as the model saw them. Accepted edits are stored as edits, not as results, so that
old and new edits are located together each time, and a conflict between them is noticed. A model that is asked for
some of its edits again may send fewer; everything would fit without the rest, so what is missing is requested.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

from inlay.engine import staging
from inlay.errors import EditsRefused, Misfit
from inlay.model.allowance import EVERYTHING
from inlay.model.change import ChangeSet
from inlay.model.edit import Edit, Part, Reading, Splice, Update
from inlay.model.file import Snapshot
from inlay.text.edit_script import runs

#: How many edits of each file are to be sent; "" is any file.
EditCounts: TypeAlias = Mapping[str, int]
_ANY_FILE = ""
_MOST_TRIED = 20  # refused edits that are tried one by one; a reply with more is better sent again
# Reasons that lie between edits, so that neither of them can be accepted.
_BETWEEN = frozenset({"overlap", "named-twice"})


@dataclass(frozen=True, slots=True)
class SortedEdits:
    """The edits of an answer and those accepted before, sorted into those that fit together and those that do not."""

    accepted: tuple[Part, ...]  #: everything that fits, together
    misfits: tuple[Misfit, ...] = ()
    resend: tuple[str, ...] = ()  #: files of which nothing is accepted, so that all of their edits are requested again
    new: EditCounts = field(default_factory=dict)  #: by file, how many edits fit that were not accepted before
    missing: EditCounts = field(default_factory=dict)  #: by file, how many are to be sent again
    changes: ChangeSet | None = None  #: what all accepted edits make of the files, where they were staged together


def sort_edits(reading: Reading, accepted: Sequence[Part], snapshot: Snapshot) -> SortedEdits:
    """Sort the edits of an answer: all at once where everything fits, else file by file."""
    paths = dict.fromkeys(str(part.path) for part in (*accepted, *reading.parts))
    by_file = [
        (path, [part for part in accepted if part.path == path], [part for part in reading.parts if part.path == path])
        for path in paths
    ]
    if not accepted and (together := _staged_together(reading, [new for _, _, new in by_file], snapshot)):
        return together
    files = [_sort_file(path, old, new, snapshot) for path, old, new in by_file]
    return SortedEdits(
        tuple(part for file in files for part in file.accepted),
        tuple(misfit for file in files for misfit in file.misfits),
        tuple(path for file in files for path in file.resend),
        {path: number for file in files for path, number in file.new.items()},
        {path: number for file in files for path, number in file.missing.items()},
    )


def numbered(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The edits of several answers with consecutive numbers."""
    numbers = count(1)
    return tuple(
        replace(part, edits=tuple(replace(edit, number=next(numbers)) for edit in part.edits))
        if isinstance(part, Update)
        else part
        for part in parts
    )


def size(parts: Iterable[Part]) -> int:
    """How many edits there are; a whole file counts as one."""
    return sum(len(part.edits) if isinstance(part, Update) else 1 for part in parts)


def _staged_together(reading: Reading, by_file: list[list[Part]], snapshot: Snapshot) -> SortedEdits | None:
    if any(isinstance(edit.variants[0], Splice) for edit in _edits(reading.parts)):
        return None
    merged = [[Update(new[0].path, tuple(_edits(new)))] if all(map(_only_edits, new)) else new for new in by_file]
    parts = numbered(part for file in merged for part in file)
    try:
        changes = staging.stage(replace(reading, parts=parts), snapshot)
    except EditsRefused:
        return None
    new = {str(file[0].path): len(_edits(file)) if _only_edits(file[0]) else sys.maxsize for file in merged}
    return SortedEdits(parts, new=new, changes=changes)


def _sort_file(path: str, old: list[Part], new: list[Part], snapshot: Snapshot) -> SortedEdits:
    if not new:
        return SortedEdits(tuple(old))
    only_updates = all(isinstance(part, Update) for part in new)
    if only_updates and old and not all(map(_only_edits, (*old, *new))):
        message = "what the last answer does to this file conflicts with the edits of it that were accepted"
        advice = "Send either the whole file or edits of the file as shown."
        return SortedEdits((), (Misfit("held-conflict", message, advice, path=path),), (path,), missing={path: 1})
    if all(map(_only_edits, new)):
        return _sort_located(path, _edits(old), _edits(new), snapshot)
    # A whole file, a new one, a deletion or a move says all there is to say about its file.
    try:
        staging.stage(Reading("", tuple(new), allow=EVERYTHING), snapshot)
    except EditsRefused as refusal:
        return SortedEdits((), refusal.misfits, (path,), missing={path: 1})
    return SortedEdits(tuple(new), new={path: sys.maxsize})


def _sort_located(path: str, old: list[Edit], new: list[Edit], snapshot: Snapshot) -> SortedEdits:
    """Sort edits that quote what they change; those that only count lines are refused."""
    message = "the edit is placed by its range alone, and lines are easily miscounted"
    advice = "Give oldText: the lines to replace, or for an insertion the line beside it, repeated in newText."
    blind = tuple(
        Misfit("range-only", message, advice, path=path, edit=edit.number)
        for edit in new
        if isinstance(edit.variants[0], Splice)
    )
    quoting = _sort_quoting(path, old, [edit for edit in new if not isinstance(edit.variants[0], Splice)], snapshot)
    missing = {path: quoting.missing.get(path, 0) + len(blind)} if blind else quoting.missing
    return replace(quoting, misfits=blind + quoting.misfits, missing=missing)


def _sort_quoting(path: str, old: list[Edit], new: list[Edit], snapshot: Snapshot) -> SortedEdits:
    added = _without_repeats(path, old, new, snapshot)
    top = max((edit.number for edit in new), default=0)
    # Numbers above those of the answer: a misfit's number then tells whether an edit was accepted before.
    edits = [*(replace(edit, number=top + n) for n, edit in enumerate(old, 1)), *added]
    if not edits:
        return SortedEdits((), new={path: 0})
    result = _applied(path, edits, snapshot)
    if isinstance(result, str):
        return SortedEdits((Update(path, tuple(edits)),), new={path: len(added)})
    bad = {misfit.edit for misfit in result.misfits}
    if 0 not in bad and max(bad) <= top and not any(misfit.code in _BETWEEN for misfit in result.misfits):
        return _without_refused(path, edits, result.misfits, snapshot, len(old))
    if old and _includes(path, old, new, snapshot):
        return SortedEdits((Update(path, tuple(new)),), new={path: sys.maxsize})
    misfits = tuple(_reworded(misfit, top) for misfit in result.misfits) if old else result.misfits
    # Of two that change the same lines, one is enough.
    between = sum(misfit.code in _BETWEEN for misfit in misfits)
    return SortedEdits((), misfits, (path,), missing={path: max(1, len(added) - between)})


def _without_repeats(path: str, old: list[Edit], new: list[Edit], snapshot: Snapshot) -> list[Edit]:
    """The new edits without those that were accepted before: the same words, or the same effect."""
    accepted = Counter(edit.variants for edit in old)
    effects = {text for edit in old if isinstance(text := _applied(path, (edit,), snapshot), str)}
    added: list[Edit] = []
    for edit in new:
        if accepted[edit.variants] > 0:
            accepted[edit.variants] -= 1
        elif not effects or _applied(path, (edit,), snapshot) not in effects:
            added.append(edit)
    return added


def _includes(path: str, old: list[Edit], new: list[Edit], snapshot: Snapshot) -> bool:
    """Whether the new edits alone do what the old ones do and more: a model that was asked for some of its edits
    may send all of them again, split in another way."""
    texts = [_applied(path, edits, snapshot) for edits in (old, new)]
    file = next((file for name, file in snapshot.files.items() if str(name) == path), None)
    if file is None or not all(isinstance(text, str) for text in texts):
        return False
    before = file.text.splitlines(keepends=True)
    changes = []
    for after in (str(text).splitlines(keepends=True) for text in texts):
        changes.append({(start, end, tuple(after[at:stop])) for start, end, at, stop in runs(before, after)})
    return changes[0] < changes[1]


def _without_refused(
    path: str, edits: list[Edit], misfits: tuple[Misfit, ...], snapshot: Snapshot, before: int
) -> SortedEdits:
    """The edits that fit without the refused ones, and the misfits of those that do not."""
    bad = {misfit.edit for misfit in misfits}
    for number in sorted(bad) if len(bad) <= _MOST_TRIED else ():
        # Strict rules come first, and may have refused an edit that a looser one would have placed.
        others = [edit for edit in edits if edit.number not in bad - {number}]
        if isinstance(_applied(path, others, snapshot), str):
            bad.discard(number)
    good = tuple(edit for edit in edits if edit.number not in bad)
    if not good or not isinstance(_applied(path, good, snapshot), str):
        # An edit that was sent twice may be a stutter, so that once is enough.
        return SortedEdits((), misfits, (path,), missing={path: len({edit.variants for edit in edits})})
    left = tuple(misfit for misfit in misfits if misfit.edit in bad)
    return SortedEdits((Update(path, good),), left, (), {path: len(good) - before}, {path: len(bad)})


def _applied(path: str, edits: Iterable[Edit], snapshot: Snapshot) -> str | EditsRefused:
    """The file's text with these edits alone, or why they do not fit; what they bring in is judged with the result."""
    reading = Reading("", (Update(path, tuple(edits)),), allow=EVERYTHING)
    try:
        return str(staging.stage(reading, snapshot).changes[0].after)
    except EditsRefused as refusal:
        return refusal


def _only_edits(part: Part) -> bool:
    return isinstance(part, Update) and part.move_to is None


def _edits(parts: Iterable[Part]) -> list[Edit]:
    return [edit for part in parts if isinstance(part, Update) for edit in part.edits]


def _reworded(misfit: Misfit, top: int) -> Misfit:
    """A misfit between an old edit and a new one, without numbers that the last answer does not have."""
    if misfit.code in _BETWEEN:
        message = "an edit of the last answer changes the same lines as one that was accepted before"
        return replace(misfit, message=message, advice="Send one edit that does both, or only the one that is meant.")
    return replace(misfit, edit=0) if misfit.edit > top else misfit


# --- counts --------------------------------------------------------------------------------------------------------


def still_expected(
    expected: EditCounts, accepted: Iterable[Part], edits: SortedEdits, *, cut: bool = False
) -> EditCounts:
    """What is to be sent after an answer: what it did not bring, what of it does not fit, what is no longer accepted.

    Accepted and expected edits together are all there are; where a file loses what was accepted of it, all its edits
    are expected.
    """
    left = {path: number - _arrived(path, edits.new) for path, number in expected.items()}
    left |= {path: max(number, left.get(path, 0)) for path, number in edits.missing.items()}
    before = count_by_file(accepted)
    left |= {path: before[path] + expected.get(path, 0) for path in edits.resend if path in before}
    left |= {_ANY_FILE: 1} if cut else {}
    return {path: number for path, number in left.items() if number > 0}


def count_by_file(parts: Iterable[Part]) -> EditCounts:
    counts: Counter[str] = Counter()
    for part in parts:
        counts[str(part.path)] += size((part,))
    return counts


def shortfall(expected: EditCounts, new: EditCounts) -> tuple[Misfit, ...]:
    """A misfit for every file of which fewer edits came than were requested."""
    misfits = []
    for path, number in expected.items():
        arrived = _arrived(path, new)
        if arrived < number:
            edits = "1 edit was" if number == 1 else f"{number} edits were"
            message = f"{edits} to be sent again, and {arrived or 'none'} came that was not accepted before"
            misfits.append(Misfit("fewer-edits", message, "Send those that are missing as well.", path=path))
    return tuple(misfits)


def _arrived(path: str, new: EditCounts) -> int:
    return sum(new.values()) if path == _ANY_FILE else new.get(path, 0)
