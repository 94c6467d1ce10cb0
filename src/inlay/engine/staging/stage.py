"""The front door of staging: a reading part by part, all misfits at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from inlay.engine.checks.rules import markers
from inlay.engine.checks.rules.encoding import unwritable
from inlay.engine.languages.catalog import is_prose
from inlay.engine.staging import series
from inlay.engine.staging.literal import apply_literally
from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.named_file import about, announced, require_proof
from inlay.engine.staging.quotation import is_quoted
from inlay.engine.staging.stale import update_stale
from inlay.engine.staging.update import update
from inlay.engine.staging.whole import check_deletable, check_new, check_whole, weave_whole
from inlay.errors import EditsRefused, Misfit
from inlay.model.allowance import Allowance
from inlay.model.change import Change, ChangeSet
from inlay.model.edit import Block, Create, Delete, Hunk, Overwrite, Part, Reading, Splice, Update
from inlay.model.file import File, RepoPath, Snapshot, is_blob
from inlay.text.lines import TooCostly


def stage(reading: Reading, snapshot: Snapshot) -> ChangeSet:
    """What the reading makes of the files; raises EditsRefused with every reason when any part does not fit."""
    commits = series.by_commit(reading.parts)
    if len(commits) <= 1:
        return _stage_together(reading, snapshot)
    steps: list[ChangeSet] = []
    for parts in commits:
        steps.append(_stage_together(replace(reading, parts=parts), snapshot))
        snapshot = series.left_by(steps[-1].changes, snapshot)
    return series.joined(steps)


def _stage_together(reading: Reading, snapshot: Snapshot) -> ChangeSet:
    parts = _merged(reading.parts, snapshot)
    made: dict[int, Change] = {}
    misfits: dict[int, list[Misfit]] = {}
    warnings = list(reading.warnings)
    # Whole files last: beside an edit of the same file, one may only show what the edit is about.
    for n in sorted(range(len(parts)), key=lambda n: isinstance(parts[n], Overwrite)):
        try:
            change, notes = _staged(parts[n], snapshot, parts, made.values())
            require_proof(parts[n], change, snapshot)
            _refuse_markup(parts[n], change, reading.allow)
        except NotLocated as refused:
            misfits[n] = [about(parts[n], misfit, snapshot) for misfit in refused.misfits]
        else:
            made[n] = announced(change, snapshot)
            warnings += notes
    warnings += _without_quotations(misfits, len(parts))
    changes = [made[n] for n in sorted(made)]
    if found := [misfit for n in sorted(misfits) for misfit in misfits[n]] + _collisions(changes, snapshot):
        raise EditsRefused(*found)
    return ChangeSet(tuple(changes), reading.format, tuple(warnings), reading.allow)


def _without_quotations(misfits: dict[int, list[Misfit]], parts: int) -> list[str]:
    """Drop what a reply only quotes, as long as it does anything else; what is dropped is said."""
    quoted = [n for n, found in misfits.items() if all(misfit.code == "excerpt" for misfit in found)]
    if len(quoted) == parts:
        return []
    return [f"{misfit.path}: {misfit.message}, so it was ignored" for n in quoted for misfit in misfits.pop(n)]


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
            # The result id of either diff names a text that only one of them makes, so none is kept.
            out[updates[path]] = Update(known.path, edits, move_to, base_id, executable)
        else:
            updates[path] = len(out)
            out.append(part)
    return out


def _staged(
    part: Part, snapshot: Snapshot, parts: list[Part], made: Iterable[Change]
) -> tuple[Change, tuple[str, ...]]:
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
            if any(change.path == path and is_quoted(content, change) for change in made):
                raise NotLocated(Misfit("excerpt", "the fence shows lines of a file that is edited as well"))
            check_whole(path, content, before, _added_elsewhere(part, parts))
            if before is None:
                return _writable(Change(path, None, content)), ()
            woven = weave_whole(path, before.text, content)
            return _writable(Change(path, before, woven.text, woven=True)), woven.warnings
        case Delete(_, lines):
            return Change(path, check_deletable(path, lines, before), None), ()
    assert_never(part)


def _added_elsewhere(part: Part, parts: list[Part]) -> frozenset[str]:
    """The lines that other parts of the reply bring in, without indentation: what goes there is not lost."""
    lines: list[str] = []
    for other in parts:
        if isinstance(other, Update):
            for variant in (edit.variants[0] for edit in other.edits):
                match variant:
                    case Block(replace=new) | Splice(new=new):
                        lines += new
                    case Hunk(ops):
                        lines += [text for kind, text in ops if kind == "+"]
        elif isinstance(other, Create | Overwrite) and other is not part:
            lines += other.content.split("\n")
    return frozenset(line.strip() for line in lines)


def _updated(part: Update, path: RepoPath, before: File | None, snapshot: Snapshot) -> tuple[Change, tuple[str, ...]]:
    if before is None:
        advice = "Name an existing file, or create it with its whole content."
        raise NotLocated(Misfit("missing", f"{path} does not exist", advice))
    base = snapshot.bases.get(path)
    is_base = None if part.base_id is None else is_blob(before, part.base_id)
    try:
        if (literal := apply_literally(before, part)) is not None:
            updated = literal
        elif base is not None:
            updated = update_stale(before.text, base, part.edits, in_prose=is_prose(path), is_base=is_base)
        else:
            updated = update(before.text, part.edits, in_prose=is_prose(path), is_base=is_base)
    except TooCostly:
        message = "the edits fit so many lines of the file, or so few, that looking for them takes too long"
        raise NotLocated(
            Misfit("too-costly", message, "Send fewer edits at a time, with lines that are rare.")
        ) from None
    move_to = None
    if part.move_to is not None:
        move_to = snapshot.names.get(part.move_to) or RepoPath(part.move_to)
    move_to = None if move_to == path else move_to
    change = Change(path, before, updated.text, updated.matches, move_to, part.executable)
    return _writable(change), updated.warnings


def _refuse_markup(part: Part, change: Change, allow: frozenset[Allowance]) -> None:
    before = change.before.text if change.before else ""
    if found := markers.misfits(markers.new_texts(part, before), change.target, before, change.after or "", allow):
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
