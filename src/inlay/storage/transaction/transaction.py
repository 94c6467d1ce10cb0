"""How changes reach the disk: staged beside their backup, recorded in a journal, and only then given their names.

Until the journal is in its place nothing outside `.inlay` has changed, so almost every failure costs nothing. From then
on the commit is rolled back, at once or at the next start, unless it is sealed: the journal is renamed to a receipt,
and that one rename is the moment of commit.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace

from inlay.errors import EnvironmentFailure, InlayError
from inlay.model.audit import AuditEvent, EventName
from inlay.model.file import RepoPath
from inlay.model.receipt import Kind, Receipt, Recovery
from inlay.processes import signals
from inlay.storage import audit_log
from inlay.storage.audit_log import Anchor
from inlay.storage.paths import confined_open
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import atomic_write, syscalls
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, journal, rollback
from inlay.storage.transaction.journal import Journal, JournalEntry
from inlay.storage.transaction.swap import publish, slot, sync_parents, write_slot
from inlay.storage.transaction.write_set import FileWrite, WriteSet

_IN_TWO_STEPS = (
    "this file system cannot swap two files in one step: a program that wrote to a file between the check and the "
    "replacement would have been overwritten"
)

_EVENTS: dict[Kind, EventName] = {"land": "write", "write": "write", "undo": "undo", "redo": "redo"}


def commit(state: StateDir, writes: WriteSet, receipt: Receipt) -> Receipt:
    """Write all of a write set or nothing; the caller holds the lock and has recovered earlier commits."""
    receipt = replace(receipt, id=str(last(state) + 1), time=audit_log.now())
    with _pending(state, receipt.id) as pending:
        head = audit_log.append(state, *_events(writes, receipt), move_head=False)
        prepared = _prepare(state, pending, writes, receipt, head.anchor)
        # Interrupts wait while names change, so that a rollback is rarely needed.
        with signals.blocked():
            return _carry_out(state, pending, prepared)


def last(state: StateDir) -> int:
    """The number of the last receipt; the one in the log's head may be behind, never ahead."""
    number = audit_log.current(state).last
    while atomic_write.read(state.receipts, journal.receipt_name(str(number + 1))):
        number += 1
    return number


def numbers(state: StateDir) -> list[int]:
    """The numbers of all receipts."""
    stems = (name.removesuffix(".json") for name in os.listdir(state.receipts) if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isdigit()]


@contextlib.contextmanager
def _pending(state: StateDir, number: str) -> Iterator[int]:
    """The commit's own directory; after an error it is rolled back and removed."""
    syscalls.make_directory(number, 0o700, state.pending)
    with syscalls.open_directory(number, state.pending) as pending:
        try:
            yield pending
        except BaseException as error:
            with signals.blocked():
                _roll_back(state, number, error)
            raise


def _roll_back(state: StateDir, number: str, error: BaseException) -> None:
    try:
        recoveries = [recovery for recovery in rollback.recover(state) if recovery.id == number]
    except (OSError, InlayError) as second:
        raise EnvironmentFailure(
            f"writing failed ({_message(error)}), and so did restoring the files ({_message(second)}); "
            "the next start of inlay, or `inlay recover`, restores them"
        ) from error
    if recoveries and recoveries[0].left:
        raise EnvironmentFailure(f"writing failed ({_message(error)}); {describe_left(recoveries[0])}") from error


def describe_left(recovery: Recovery) -> str:
    """What a person has to know about files that could not be restored."""
    names = ", ".join(map(str, recovery.left))
    return f"another program wrote to {names}, which was left alone; the other versions are in {recovery.kept}"


def _message(error: BaseException) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return str(error) or type(error).__name__


def _prepare(state: StateDir, pending: int, writes: WriteSet, receipt: Receipt, anchor: Anchor) -> Journal:
    """Write everything that the commit needs, and as the last the journal."""
    contents = {backup.digest(data): data for step in writes.steps for data in (step.old, step.new) if data is not None}
    backup.remove(state.backups, backup.name(receipt.id))  # of a change with this number that was never sealed
    backup.write(state.backups, backup.name(receipt.id), contents)
    entries = tuple(_stage(state, pending, index, step) for index, step in enumerate(writes.steps))
    prepared = Journal(receipt, entries, writes.made, writes.removed, anchor)
    atomic_write.replace(pending, journal.NAME, journal.to_bytes(prepared))
    syscalls.sync(state.pending)
    syscalls.sync(state.backups)
    return prepared


def _stage(state: StateDir, pending: int, index: int, step: FileWrite) -> JournalEntry:
    old = backup.digest(step.old)
    if step.new is None:
        return JournalEntry(step.path, old, "", step.old_meta)
    default = 0o777 if step.executable else 0o666
    wanted = step.new_meta or _inherited(state, step.path, default)
    meta = write_slot(pending, slot(index), step.new, wanted, step.path, default)
    return JournalEntry(step.path, old, backup.digest(step.new), step.old_meta, meta)


def _inherited(state: StateDir, path: RepoPath, mode: int) -> Meta | None:
    """What a new file gets from a directory that passes its group on; the slot is in another directory."""
    above = confined_open.nearest_directory(state.root, path)
    if not above.st_mode & stat.S_ISGID or sys.platform != "linux":
        return None
    mask = os.umask(0)
    os.umask(mask)
    return Meta(mode & ~mask, os.geteuid(), above.st_gid, {})


def _carry_out(state: StateDir, pending: int, prepared: Journal) -> Receipt:
    for path in prepared.made:
        with contextlib.suppress(FileExistsError), confined_open.parent(state.root, path) as above:
            syscalls.make_directory(path.name, 0o777, above)
    in_one_step = [publish(state.root, pending, i, entry) for i, entry in enumerate(prepared.entries)]
    rollback.remove_directories(state.root, prepared.removed)
    sync_parents(state.root, [entry.path for entry in prepared.entries] + list(prepared.made))
    syscalls.sync(pending)
    if signals.is_pending():
        raise EnvironmentFailure("interrupted; nothing was written")
    _seal(state, pending, prepared.receipt.id)
    notes = () if all(in_one_step) else (_IN_TWO_STEPS,)
    return _finish(state, pending, replace(prepared.receipt, notes=notes))


def _seal(state: StateDir, pending: int, number: str) -> None:
    """The moment of commit; undone where the disk cannot confirm it, because it may not last."""
    syscalls.rename(journal.NAME, pending, journal.receipt_name(number), state.receipts)
    try:
        syscalls.sync(state.receipts)
        syscalls.sync(pending)
    except OSError:
        syscalls.rename(journal.receipt_name(number), state.receipts, journal.NAME, pending)
        raise


def _finish(state: StateDir, pending: int, receipt: Receipt) -> Receipt:
    """Log and clean up after the commit; a failure here is a note and not a failure of the commit."""
    try:
        done = AuditEvent(_EVENTS[receipt.kind], receipt=receipt.id, state="done")
        audit_log.append(state, done, last=int(receipt.id))
        rollback.clean_up(state, pending, receipt.id)
    except (OSError, InlayError) as error:
        note = f"written, but the log will say so only after the next start: {_message(error)}"
        return replace(receipt, notes=(*receipt.notes, note))
    return receipt


def _events(writes: WriteSet, receipt: Receipt) -> Iterator[AuditEvent]:
    for step in writes.steps:
        yield AuditEvent(
            _EVENTS[receipt.kind],
            path=str(step.path),
            before=backup.digest(step.old),
            after=backup.digest(step.new),
            receipt=receipt.id,
            detail=receipt.summary,
            state="intent",
        )
