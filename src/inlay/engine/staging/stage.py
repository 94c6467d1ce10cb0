"""The front door of staging: a reading part by part, all misfits at once."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from inlay.engine.checks.rules import markers
from inlay.engine.checks.rules.encoding import unwritable
from inlay.engine.checks.rules.placeholders import is_prose
from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.update import update
from inlay.engine.staging.whole import check_deletable, check_new, check_whole, in_style
from inlay.errors import EditsRefused, Misfit
from inlay.model.allowance import Allowance
from inlay.model.change import Change, ChangeSet
from inlay.model.edit import Create, Delete, Overwrite, Part, Reading, Update
from inlay.model.file import File, RepoPath, Snapshot, is_blob


def stage(reading: Reading, snapshot: Snapshot) -> ChangeSet:
    """What the reading makes of the files; raises EditsRefused with every reason when any part does not fit."""
    changes: list[Change] = []
    misfits: list[Misfit] = []
    warnings = list(reading.warnings)
    for part in _merged(reading.parts, snapshot):
        try:
            change, notes = _staged(part, snapshot)
            _refuse_markup(part, change, reading.allow)
        except NotLocated as refused:
            misfits += [replace(misfit, path=misfit.path or str(part.path or "")) for misfit in refused.misfits]
        else:
            changes.append(change)
            warnings += notes
    misfits += _collisions(changes, snapshot)
    if misfits:
        raise EditsRefused(*misfits)
    return ChangeSet(tuple(changes), reading.format, tuple(warnings), reading.allow)


def _merged(parts: tuple[Part, ...], snapshot: Snapshot) -> list[Part]:
    """Parts for the same file become one, so that their edits are located together."""
    out: list[Part] = []
    updates: dict[RepoPath, int] = {}
    for part in parts:
        path = snapshot.names.get(part.path) if part.path is not None else None
        if not isinstance(part, Update) or path is None:
            out.append(part)
        elif path in updates and isinstance(known := out[updates[path]], Update):
            edits, move_to = known.edits + part.edits, part.move_to or known.move_to
            base_id = known.base_id if known.base_id == part.base_id else None
            executable = known.executable if part.executable is None else part.executable
            out[updates[path]] = Update(known.path, edits, move_to, base_id, executable)
        else:
            updates[path] = len(out)
            out.append(part)
    return out


def _staged(part: Part, snapshot: Snapshot) -> tuple[Change, tuple[str, ...]]:
    if part.path is None:
        message = "the reply does not say which file it is for"
        raise NotLocated(Misfit("no-path", message, "Name the file before its edits."))
    path = snapshot.names.get(part.path) or RepoPath(part.path)
    before = snapshot.files.get(path)
    match part:
        case Update():
            return _updated(part, path, before, snapshot)
        case Create(_, content, executable):
            check_new(path, content, before)
            return Change(path, before, content, executable=executable or None), ()
        case Overwrite(_, content):
            check_whole(path, content, before)
            return _writable(Change(path, before, content if before is None else in_style(content, before.text))), ()
        case Delete(_, lines):
            return Change(path, check_deletable(path, lines, before), None), ()
    assert_never(part)


def _updated(part: Update, path: RepoPath, before: File | None, snapshot: Snapshot) -> tuple[Change, tuple[str, ...]]:
    if before is None:
        advice = "Name an existing file, or create it with its whole content."
        raise NotLocated(Misfit("missing", f"{path} does not exist", advice))
    is_base = None if part.base_id is None else is_blob(before, part.base_id)
    updated = update(before.text, part.edits, in_prose=is_prose(path), is_base=is_base)
    move_to = None
    if part.move_to is not None:
        move_to = snapshot.names.get(part.move_to) or RepoPath(part.move_to)
    move_to = None if move_to == path else move_to
    change = Change(path, before, updated.text, updated.matches, move_to, part.executable)
    return _writable(change), updated.warnings


def _refuse_markup(part: Part, change: Change, allow: frozenset[Allowance]) -> None:
    before = change.before.text if change.before else ""
    if found := markers.misfits(markers.new_texts(part), before, change.after or "", allow):
        raise NotLocated(*found)


def _writable(change: Change) -> Change:
    if misfit := unwritable(change):
        raise NotLocated(misfit)
    return change


def _collisions(changes: list[Change], snapshot: Snapshot) -> list[Misfit]:
    misfits: list[Misfit] = []
    seen: set[RepoPath] = set()
    for change in changes:
        if change.target in seen:
            misfits.append(Misfit("named-twice", f"{change.target} is written twice", "Give each file once."))
        seen.add(change.target)
        if change.move_to and (change.move_to in snapshot.files or change.move_to in snapshot.taken):
            message = f"{change.move_to} exists already, so nothing can move there"
            misfits.append(Misfit("exists", message, "Choose another name."))
    return misfits
