"""The front door of staging: part by part, all misfits at once."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from inlay.errors import EditsRefused, Misfit
from inlay.matching.elision import is_mark
from inlay.matching.source import Source
from inlay.model.change import Change, ChangeSet
from inlay.model.edit import Create, Delete, Overwrite, Part, Reading, Update
from inlay.model.file import File, RepoPath, Snapshot
from inlay.staging import guards
from inlay.staging.update import Refused, update

_SUMMARY_OF = 8  # lines that show anything; a shorter file may well be written anew


def stage(reading: Reading, snapshot: Snapshot) -> ChangeSet:
    """What the reading makes of the files; raises EditsRefused with every reason when any part does not fit."""
    changes: list[Change] = []
    misfits: list[Misfit] = []
    warnings = list(reading.warnings)
    for part in _merged(reading.parts, snapshot):
        try:
            change, notes = _staged(part, snapshot)
        except Refused as refused:
            misfits += [replace(misfit, path=misfit.path or str(part.path or "")) for misfit in refused.misfits]
        else:
            changes.append(change)
            warnings += notes
    misfits += _collisions(changes, snapshot)
    if misfits:
        raise EditsRefused(*misfits)
    return ChangeSet(tuple(changes), reading.format, tuple(warnings))


def _merged(parts: tuple[Part, ...], snapshot: Snapshot) -> list[Part]:
    """Parts for the same file become one, so that their edits are located together."""
    out: list[Part] = []
    updates: dict[RepoPath, int] = {}
    for part in parts:
        path = snapshot.names.get(part.path) if part.path is not None else None
        if isinstance(part, Update) and path is not None:
            if path in updates:
                known = out[updates[path]]
                assert isinstance(known, Update)
                out[updates[path]] = replace(known, edits=known.edits + part.edits, move_to=part.move_to or known.move_to)
                continue
            updates[path] = len(out)
        out.append(part)
    return out


def _staged(part: Part, snapshot: Snapshot) -> tuple[Change, tuple[str, ...]]:
    path = _path(part, snapshot)
    before = snapshot.files.get(path)
    match part:
        case Update():
            return _updated(part, path, before, snapshot)
        case Create(_, content):
            return _created(path, content, before), ()
        case Overwrite(_, content):
            return _overwritten(path, content, before), ()
        case Delete(_, lines):
            return _deleted(path, lines, before), ()
    assert_never(part)


def _path(part: Part, snapshot: Snapshot) -> RepoPath:
    if part.path is None:
        raise Refused([_misfit("no-path", "the reply does not say which file it is for", "Name the file before its edits.")])
    return snapshot.names.get(part.path) or RepoPath(part.path)


def _updated(part: Update, path: RepoPath, before: File | None, snapshot: Snapshot) -> tuple[Change, tuple[str, ...]]:
    if before is None:
        raise Refused([_misfit("missing", f"{path} does not exist", "Name an existing file, or create it with its whole content.")])
    updated = update(before.text, part.edits)
    move_to = None
    if part.move_to is not None:
        move_to = snapshot.names.get(part.move_to) or RepoPath(part.move_to)
        move_to = None if move_to == path else move_to
    change = Change(path, before, updated.text, updated.matches, move_to)
    _check_encodable(change)
    return change, updated.warnings


def _created(path: RepoPath, content: str, before: File | None) -> Change:
    if before is not None and before.text.strip() and before.text != content:
        raise Refused([_misfit("exists", f"{path} exists already", "Edit it instead of creating it, or choose another name.")])
    _guard(content, "")
    return Change(path, before, content)


def _deleted(path: RepoPath, lines: tuple[str, ...] | None, before: File | None) -> Change:
    if before is None:
        raise Refused([_misfit("missing", f"{path} does not exist, so it cannot be deleted", "Name an existing file.")])
    have = [line.rstrip() for line in Source(before.text).lines]
    if lines is not None and [line.rstrip() for line in lines] != have:
        message = f"{path} is to be deleted, but does not hold the lines that the reply says it does"
        raise Refused([_misfit("not-found", message, "Look at the file as it is now before deleting it.")])
    return Change(path, before, None)


def _overwritten(path: RepoPath, content: str, before: File | None) -> Change:
    _guard(content, before.text if before else "")
    if before is None:
        return Change(path, None, content)
    _check_summary(before.text, content)
    change = Change(path, before, _in_style(content, before.text))
    _check_encodable(change)
    return change


def _check_summary(before: str, content: str) -> None:
    """A much shorter text that shares no line with the file tells about it instead of being it."""
    had = [line.strip() for line in before.split("\n") if line.strip()]
    new = [line.strip() for line in content.split("\n") if line.strip()]
    if len(had) >= _SUMMARY_OF and 2 * len(new) < len(had) and not set(new) & set(had):
        counts = content.count("\n") + 1, before.count("\n") + 1
        message = f"the new content has {counts[0]} lines where the file has {counts[1]}, and not one in common"
        raise Refused([_misfit("summary", message, "Send the whole file as it should be, or edits.")])


def _in_style(content: str, before: str) -> str:
    """New content with the file's own line endings and final newline."""
    if "\r\n" in before and "\n" not in before.replace("\r\n", ""):
        content = content.replace("\r\n", "\n").replace("\n", "\r\n")
    if before and not before.endswith("\n"):
        return content.removesuffix("\n").removesuffix("\r")
    return content


def _guard(content: str, before: str) -> None:
    lines = content.split("\n")
    known = set(before.split("\n"))
    for line in lines:
        if line not in known and is_mark(line) and not line.strip().startswith("..."):
            raise Refused(
                [_misfit("elided", f"the file says {line.strip()!r} instead of its lines", "Write out the whole file, or send edits.")]
            )
    if misfit := guards.contamination([line for line in lines if line not in known], before):
        raise Refused([misfit])


def _check_encodable(change: Change) -> None:
    try:
        content = change.content
    except UnicodeEncodeError as error:
        raise Refused(
            [_misfit("encoding", f"{change.path} is in {error.encoding}, which has no {error.object[error.start]!r}", "Use ASCII there.")]
        ) from None
    if change.before and change.before.encoding.legacy and not _only_ascii_added(change):
        raise Refused(
            [_misfit("encoding", f"{change.path} is not in UTF-8, so new text in it must be ASCII", "Use ASCII or escapes in new lines.")]
        )
    del content


def _only_ascii_added(change: Change) -> bool:
    assert change.before is not None and change.after is not None
    had = set(change.before.text.split("\n"))
    return all(line.isascii() for line in change.after.split("\n") if line not in had)


def _collisions(changes: list[Change], snapshot: Snapshot) -> list[Misfit]:
    misfits, seen = [], set()
    for change in changes:
        if change.target in seen:
            misfits.append(_misfit("named-twice", f"{change.target} is written twice", "Give each file once."))
        seen.add(change.target)
        if change.move_to and (change.move_to in snapshot.files or change.move_to in snapshot.taken):
            misfits.append(_misfit("exists", f"{change.move_to} exists already, so nothing can move there", "Choose another name."))
    return misfits


def _misfit(code: str, message: str, advice: str) -> Misfit:
    return Misfit(code, message, advice)
