"""A series of commits as one change set: what each leaves for the next, and what becomes of a file over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from inlay.errors import EditsRefused, Misfit
from inlay.model.change import Change, ChangeSet
from inlay.model.edit import Overwrite, Part
from inlay.model.file import File, RepoPath, Snapshot


def by_commit(parts: Iterable[Part]) -> list[tuple[Part, ...]]:
    """The parts of each commit; all of them together where there is no series."""
    return [tuple(group) for _, group in groupby(parts, lambda p: 0 if isinstance(p, Overwrite) else p.commit)]


def left_by(changes: Sequence[Change], snapshot: Snapshot) -> Snapshot:
    """The files as they are once the changes are made."""
    files, names = dict(snapshot.files), dict(snapshot.names)
    gone = {change.path for change in changes if change.after is None or change.move_to}
    for path in gone:
        files.pop(path, None)
    for change in changes:
        if change.after is not None:
            known = change.before or File(change.path, "")
            files[change.target] = replace(known, path=change.target, text=change.after, digest="")
            names[str(change.target)] = change.target
    return replace(snapshot, files=files, names=names, taken=snapshot.taken - gone)


def joined(steps: Sequence[ChangeSet]) -> ChangeSet:
    """All steps as one: each file from before the first to after the last that changes it."""
    done: dict[RepoPath, Change] = {}  # by where the file is now
    deleted: dict[RepoPath, Change] = {}
    for change in (change for step in steps for change in step.changes):
        known = done.pop(change.path, None) or (deleted.pop(change.path, None) if change.before is None else None)
        total = _continued(known, change) if known else change
        if total.after is None:
            deleted |= {total.path: total} if total.before else {}
        elif total.target in done or total.target in deleted:
            advice = "Send these commits one after the other."
            raise EditsRefused(Misfit("named-twice", f"{total.target} is replaced by another file", advice))
        else:
            done[total.target] = total
    warnings = tuple(dict.fromkeys(warning for step in steps for warning in step.warnings))
    return replace(steps[-1], changes=(*done.values(), *deleted.values()), warnings=warnings)


def _continued(known: Change, change: Change) -> Change:
    executable = known.executable if change.executable is None else change.executable
    if known.before is None:
        return replace(change, path=change.target, before=None, move_to=None, executable=executable)
    target = None if change.target == known.path else change.target
    matches, adapted = known.matches + change.matches, tuple(dict.fromkeys(known.adapted + change.adapted))
    return Change(known.path, known.before, change.after, matches, target, executable, adapted=adapted)
