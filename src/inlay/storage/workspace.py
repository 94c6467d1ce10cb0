"""A project on the disk: what the names in a reply mean, how changes are written, and how they are undone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import islice

from inlay.errors import EnvironmentFailure, PathTraversalError, UnknownReceipt
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.model.change import ChangeSet
from inlay.model.protection import Policy
from inlay.model.receipt import Collected, Contents, Kind, Receipt, Recovery
from inlay.model.settings import LOCK_WAIT
from inlay.storage import audit_log
from inlay.storage.paths import confined_open
from inlay.storage.project_files import ProjectFiles, denied
from inlay.storage.state import state_dir
from inlay.storage.state.lock import LockBusy, locked
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import gc, receipts, rollback, transaction, undo, write_set
from inlay.text.redact import redact


class Workspace(ProjectFiles):
    """One project directory, with the history of what was written there."""

    def __init__(self, root: str | os.PathLike[str], *, policy: Policy | None = None, wait: float = LOCK_WAIT) -> None:
        super().__init__(root, policy)
        self._wait = wait  # seconds that a commit waits for another writer
        self._recovered: tuple[Recovery, ...] = ()
        # A commit that is pending while no process holds the lock was interrupted.
        with contextlib.suppress(LockBusy):
            self._recovered = self._recover(wait=0)

    def __repr__(self) -> str:
        return f"Workspace({str(self.root)!r})"

    def commit(self, changes: ChangeSet, *, kind: Kind = "land", summary: str = "") -> Receipt:
        """Write all changes or none; raises StaleFile when a file is no longer what was read."""
        written = write_set.written(changes)
        if not written:
            return Receipt(kind=kind, summary=summary)
        paths = dict.fromkeys(path for change in changes.changes for path in (change.path, change.target))
        guards = [(path, self.protection(path)) for path in paths]
        if refused := [denied(path, guard.reason) for path, guard in guards if guard.level == "deny"]:
            raise PathTraversalError(*refused)
        with self._writing() as state:
            writes = write_set.of(self._descriptor, changes)
            return transaction.commit(state, writes, Receipt(written, kind=kind, summary=redact(summary)))

    def undo(self, id: str | None = None, *, force: bool = False) -> Receipt:
        """Undo a commit, by default the last that was not undone; later changes of other lines are kept.

        Raises StaleFile where later work would be lost, unless `force` is given.
        """
        return self._reverse(id, "undo", force)

    def redo(self, *, force: bool = False) -> Receipt:
        return self._reverse(None, "redo", force)

    def _reverse(self, id: str | None, kind: Kind, force: bool) -> Receipt:
        with self._writing() as state:
            number = id or receipts.last_to_reverse(state, kind)
            commit = receipts.load(state, number)
            receipts.require_in_effect(state, number)
            back = undo.reversal(state, commit, kind, force=force)
            receipt = transaction.commit(state, back.writes, back.receipt)
            return replace(receipt, notes=(*back.notes, *receipt.notes))

    def history(self, most: int | None = None) -> tuple[Receipt, ...]:
        """What was committed, newest first."""
        with self._reading() as state:
            return tuple(islice(receipts.newest_first(state), most)) if state else ()

    def receipt(self, id: str) -> Receipt:
        """One receipt; raises UnknownReceipt."""
        with self._reading() as state:
            if state is None:
                raise UnknownReceipt(f"there is no change {id[:40]!r}: nothing was written here yet")
            return receipts.load(state, id).receipt

    def contents(self, id: str) -> tuple[Contents, ...]:
        """The files of a receipt with their bytes before and after."""
        self.receipt(id)
        with self._reading() as state:
            return receipts.contents(state, id) if state else ()

    def record(self, *events: AuditEvent) -> None:
        """Add events to the audit log, together and durably; raises LogDamaged."""
        if events:
            with self._writing() as state:
                audit_log.append(state, *events)

    def records(self) -> tuple[AuditRecord, ...]:
        """The audit log, oldest first; raises LogDamaged."""
        with self._reading() as state:
            return tuple(audit_log.records(state)) if state else ()

    def verify_log(self) -> tuple[str, ...]:
        """Every sign that the audit log is not as it was written; empty when it is intact."""
        with self._reading() as state:
            try:
                return tuple(audit_log.verify(state, receipts.anchors(state))) if state else ()
            except EnvironmentFailure as damage:
                return (str(damage),)

    def restart_log(self) -> str:
        """Set a damaged log aside and begin a new one; returns where the old one is."""
        with self._writing() as state:
            aside = f"log-{audit_log.now().replace(':', '')}"
            audit_log.restart(state, aside, max(transaction.numbers(state), default=0))
            return f"{state_dir.NAME}/{aside}"

    def recover(self) -> tuple[Recovery, ...]:
        """Roll back commits that were interrupted; opening a workspace does so too."""
        recovered, self._recovered = self._recovered, ()
        return recovered + self._recover()

    def _recover(self, wait: float | None = None) -> tuple[Recovery, ...]:
        with self._reading() as state:
            if state is None or not os.listdir(state.pending):
                return ()
            with self._locked(state, wait=wait):
                return rollback.recover(state)

    def collect(self, *, older_than: float | None = None, larger_than: int | None = None) -> Collected:
        """Remove old backups by age in days and by total size in bytes, never the newest."""
        with self._writing() as state:
            return gc.collect(state, older_than, larger_than)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Take turns with other processes from reading to writing, so that a file that was read is still the same.

        Where the lock is not available, work goes on without: the commit finds out whether a file has changed.
        """
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError, EnvironmentFailure):
                state = stack.enter_context(state_dir.made(self._descriptor))
                # Not the lock of the writing itself, which is taken within.
                stack.enter_context(self._locked(state, "turn"))
            yield

    def _locked(self, state: StateDir, name: str = "lock", wait: float | None = None) -> AbstractContextManager[int]:
        writing = f"another process has been writing to this project for {self._wait:g} seconds"
        busy = f"{writing}; nothing was written, try again"
        return locked(name, state.top, wait=self._wait if wait is None else wait, busy=busy)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[StateDir]:
        """The state directory, locked, after interrupted commits were rolled back."""
        try:
            with state_dir.made(self._descriptor) as state, self._locked(state):
                self._recovered += rollback.recover(state)
                yield state
        except OSError as error:
            raise confined_open.failure("the changes could not be written", error) from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[StateDir | None]:
        try:
            with state_dir.existing(self._descriptor) as state:
                yield state
        except OSError as error:
            raise confined_open.failure(state_dir.NAME, error) from error
