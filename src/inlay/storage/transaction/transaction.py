"""How changes reach the disk: staged beside their backup, written down in a journal, and only then given their names.

Until the journal is in its place nothing outside `.inlay` has changed, so almost every failure costs nothing. From then
on the commit is taken back, at once or at the next start, unless it comes to be sealed: the journal is renamed to be a
receipt, and that one rename is the moment at which everything has happened.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace

from inlay.errors import EnvironmentFailure, InlayError
from inlay.model.audit import AuditEvent, EventName
from inlay.model.file import RepoPath
from inlay.model.receipt import Receipt, Recovery
from inlay.storage.audit import audit_log
from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir, syscalls
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup, journal, restore_file, rollback
from inlay.storage.transaction.journal import Journal, JournalEntry, Meta
from inlay.storage.transaction.swap import publish, slot, sync_parents
from inlay.storage.transaction.write_set import FileWrite, WriteSet

_HELD_BACK = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_IN_TWO_STEPS = (
    "this file system cannot swap two files in one step: a program that wrote to a file in the very moment between "
    "looking at it and replacing it would have been overwritten"
)


def commit(at: Home, plan: WriteSet, receipt: Receipt) -> Receipt:
    """Carry out a plan, all of it or none; the lock must be held and earlier commits be recovered."""
    receipt = replace(receipt, id=str(last(at) + 1), time=audit_log.now())
    with _pending(at, receipt.id) as pending:
        head = audit_log.append(at, *_events(plan, receipt), move_head=False)
        prepared = _prepare(at, pending, plan, receipt, head.anchor)
        with _undisturbed():
            return _carry_out(at, pending, prepared)


def last(at: Home) -> int:
    """The number of the last receipt; what the log's head says may be behind, never ahead."""
    number = audit_log.current(at).last
    while state_dir.read(at.receipts, journal.receipt_name(str(number + 1))):
        number += 1
    return number


def numbers(at: Home) -> list[int]:
    """The numbers of all receipts."""
    stems = (name.removesuffix(".json") for name in os.listdir(at.receipts) if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isdigit()]


@contextlib.contextmanager
def _pending(at: Home, number: str) -> Iterator[int]:
    """The commit's own directory; an error before the journal is in place leaves nothing of it."""
    syscalls.make_directory(number, 0o700, at.pending)
    pending = os.open(number, _DIRECTORY, dir_fd=at.pending)
    try:
        yield pending
    except BaseException as error:
        with _undisturbed():
            _take_back(at, number, error)
        raise
    finally:
        os.close(pending)


def _take_back(at: Home, number: str, error: BaseException) -> None:
    try:
        found = [one for one in rollback.recover(at) if one.id == number]
    except (OSError, InlayError) as second:
        raise EnvironmentFailure(
            f"writing failed ({_said(error)}), and putting the files back failed as well ({_said(second)}); "
            "the next start of inlay, or `inlay recover`, puts them back"
        ) from error
    if found and found[0].left:
        raise EnvironmentFailure(f"writing failed ({_said(error)}); {tell_left(found[0])}") from error


def tell_left(found: Recovery) -> str:
    """What a person has to know about files that could not be put back."""
    names = ", ".join(map(str, found.left))
    return f"somebody wrote meanwhile to {names}, which was left alone; the other versions are in {found.kept}"


def _said(error: BaseException) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return str(error) or type(error).__name__


def _prepare(at: Home, pending: int, plan: WriteSet, receipt: Receipt, anchor: journal.Anchor) -> Journal:
    """Everything on the disk that the commit needs, and the journal in its place as the last."""
    contents = {key: content for step in plan.steps for key, content in step.contents()}
    backup.remove(at.backups, backup.name(receipt.id))  # of a change with this number that was never sealed
    backup.write(at.backups, backup.name(receipt.id), contents)
    entries = tuple(_stage(at, pending, index, step) for index, step in enumerate(plan.steps))
    prepared = Journal(receipt, entries, plan.made, plan.removed, anchor)
    state_dir.replace(pending, journal.NAME, journal.to_bytes(prepared))
    for directory in (pending, at.pending, at.backups):
        syscalls.sync(directory)
    return prepared


def _stage(at: Home, pending: int, index: int, step: FileWrite) -> JournalEntry:
    old = backup.digest(step.old) if step.old is not None else ""
    if step.new is None:
        return JournalEntry(step.path, old, "", step.old_meta)
    meta = restore_file.write_slot(
        pending, slot(index), step.new, step.new_meta or _inherited(at, step.path), step.path
    )
    return JournalEntry(step.path, old, backup.digest(step.new), step.old_meta, meta)


def _inherited(at: Home, path: RepoPath) -> Meta | None:
    """What a new file gets from its directory, where that hands its group down; we make it elsewhere."""
    above = confined_open.nearest_directory(at.root, path)
    if not above.st_mode & stat.S_ISGID or sys.platform != "linux":
        return None
    mask = os.umask(0)
    os.umask(mask)
    return Meta(0o666 & ~mask, os.geteuid(), above.st_gid, {})


def _carry_out(at: Home, pending: int, prepared: Journal) -> Receipt:
    for path in prepared.made:
        _make_directory(at.root, path)
    in_one_step = [publish(at.root, pending, i, entry) for i, entry in enumerate(prepared.entries)]
    rollback.remove_directories(at.root, prepared.removed)
    sync_parents(at.root, [entry.path for entry in prepared.entries] + list(prepared.made))
    syscalls.sync(pending)
    if signal.sigpending() & _HELD_BACK:
        raise EnvironmentFailure("interrupted; nothing was kept")
    _seal(at, pending, prepared.receipt.id)
    notes = () if all(in_one_step) else (_IN_TWO_STEPS,)
    return _finish(at, pending, replace(prepared.receipt, notes=notes))


def _make_directory(root: int, path: RepoPath) -> None:
    with contextlib.suppress(FileExistsError), confined_open.parent(root, path) as above:
        syscalls.make_directory(path.name, 0o777, above)


def _seal(at: Home, pending: int, number: str) -> None:
    """The moment of commit. A disk that cannot confirm it takes it back, for nobody must be told what may not last."""
    syscalls.rename(journal.NAME, pending, journal.receipt_name(number), at.receipts)
    try:
        syscalls.sync(at.receipts)
        syscalls.sync(pending)
    except OSError:
        syscalls.rename(journal.receipt_name(number), at.receipts, journal.NAME, pending)
        raise


def _finish(at: Home, pending: int, receipt: Receipt) -> Receipt:
    """What remains once everything has happened; no failure here may be told as one of the commit."""
    try:
        audit_log.append(at, AuditEvent(_event(receipt), receipt=receipt.id, state="done"), last=int(receipt.id))
        rollback.sweep(at, pending, receipt.id)
    except (OSError, InlayError) as error:
        note = f"written, but the log will say so only after the next start: {_said(error)}"
        return replace(receipt, notes=(*receipt.notes, note))
    return receipt


def _event(receipt: Receipt) -> EventName:
    return "write" if receipt.kind in ("land", "write") else "undo" if receipt.kind == "undo" else "redo"


def _events(plan: WriteSet, receipt: Receipt) -> Iterator[AuditEvent]:
    for step in plan.steps:
        yield AuditEvent(
            _event(receipt),
            path=str(step.path),
            before=backup.digest(step.old) if step.old is not None else "",
            after=backup.digest(step.new) if step.new is not None else "",
            receipt=receipt.id,
            detail=receipt.summary,
            state="intent",
        )


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back interrupts while names change, so that they rarely have to be taken back."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
