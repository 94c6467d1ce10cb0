"""A project on the disk: what the names in a reply mean, how changes are written, and how they are taken back."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from itertools import islice

from inlay.errors import EnvironmentFailure, PathTraversalError, UnknownReceipt
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.model.change import ChangeSet
from inlay.model.protection import Policy
from inlay.model.receipt import Collected, Contents, Kind, Receipt, Recovery
from inlay.storage.audit import audit_log
from inlay.storage.audit.redaction import redact
from inlay.storage.paths import confined_open
from inlay.storage.project_files import ProjectFiles, denied
from inlay.storage.state import lock, state_dir
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import gc, rollback, transaction
from inlay.storage.transaction import receipts as history
from inlay.storage.transaction import undo as reversal
from inlay.storage.transaction import write_set as plans


class Workspace(ProjectFiles):
    """One project directory, with the history of what was written there."""

    def __init__(self, root: str | os.PathLike[str], *, policy: Policy | None = None, wait: float = 10.0) -> None:
        super().__init__(root, policy)
        self._wait = wait  # seconds that a commit waits for another writer
        self._recovered = self._recover_if_idle()

    def __repr__(self) -> str:
        return f"Workspace({str(self.root)!r})"

    def commit(self, changes: ChangeSet, *, kind: Kind = "land", summary: str = "") -> Receipt:
        """Write all changes or none; raises StaleFile when a file is no longer what was read."""
        written = plans.written(changes)
        if not written:
            return Receipt(kind=kind, summary=summary)
        self._require_writable(changes)
        with self._writing() as at:
            plan = plans.of(self._descriptor, changes)
            plans.require_free(self._descriptor, plan)
            return transaction.commit(at, plan, Receipt(written, kind=kind, summary=redact(summary)))

    def undo(self, id: str | None = None) -> Receipt:
        """Take back a commit, by default the last that stands; raises StaleFile where later work would be lost."""
        return self._reverse(id, "undo")

    def redo(self) -> Receipt:
        """Take back the last undo."""
        return self._reverse(None, "redo")

    def _reverse(self, id: str | None, kind: Kind) -> Receipt:
        with self._writing() as at:
            number = id or (history.last_standing(at) if kind == "undo" else history.last_undone(at))
            found = history.load(at, number)
            history.require_standing(at, number)
            return transaction.commit(at, reversal.plan(at, found), reversal.receipt(found.receipt, kind))

    def history(self, most: int | None = None) -> tuple[Receipt, ...]:
        """What was committed, newest first."""
        with self._reading() as at:
            return tuple(islice(history.newest_first(at), most)) if at else ()

    def receipt(self, id: str) -> Receipt:
        """One receipt; raises UnknownReceipt."""
        with self._reading() as at:
            if at is None:
                raise UnknownReceipt(f"there is no change {id[:40]!r}: nothing was ever written here")
            return history.load(at, id).receipt

    def contents(self, id: str) -> tuple[Contents, ...]:
        """The files of a receipt with their bytes before and after."""
        self.receipt(id)
        with self._reading() as at:
            return history.contents(at, id) if at else ()

    def record(self, *events: AuditEvent) -> None:
        """Add events to the audit log, together and durably; raises LogDamaged."""
        with self._writing() as at:
            audit_log.append(at, *events)

    def records(self) -> tuple[AuditRecord, ...]:
        """The audit log, oldest first; raises LogDamaged."""
        with self._reading() as at:
            return tuple(audit_log.records(at)) if at else ()

    def verify_log(self) -> tuple[str, ...]:
        """Everything that shows the audit log to be other than it was written; empty when it is whole."""
        with self._reading() as at:
            try:
                return tuple(audit_log.verify(at, history.anchors(at))) if at else ()
            except EnvironmentFailure as damage:
                return (str(damage),)

    def restart_log(self) -> str:
        """Set a damaged log aside and begin a new one; tells where the old one is."""
        with self._writing() as at:
            aside = f"log-{audit_log.now().replace(':', '')}"
            audit_log.restart(at, aside, max(transaction.numbers(at), default=0))
            return f"{state_dir.NAME}/{aside}"

    def recover(self) -> tuple[Recovery, ...]:
        """Take back commits that were cut short; done by itself whenever a workspace is opened."""
        found, self._recovered = self._recovered, ()
        with self._reading() as at:
            if at is None or not os.listdir(at.pending):
                return found
            with lock.held(at, self._wait):
                return found + rollback.recover(at)

    def collect(self, *, older_than: float | None = None, larger_than: int | None = None) -> Collected:
        """Drop old backups by age in days and by total size in bytes, never the newest."""
        with self._writing() as at:
            return gc.collect(at, older_than, larger_than)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Take turns with other processes that do, so that what is read is still there when it is written.

        Where no turn can be had, work goes on without: the commit finds out whether a file has changed.
        """
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError, EnvironmentFailure):
                at = stack.enter_context(state_dir.made(self._descriptor))
                stack.enter_context(lock.held(at, self._wait, lock.TURN))
            yield

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Home]:
        """The project's own directory, under the lock, with nothing left of commits that were cut short."""
        try:
            with state_dir.made(self._descriptor) as at, lock.held(at, self._wait):
                self._recovered += rollback.recover(at)
                yield at
        except OSError as error:
            raise confined_open.failure("the changes could not be written", error) from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Home | None]:
        try:
            with state_dir.existing(self._descriptor) as at:
                yield at
        except OSError as error:
            raise confined_open.failure(state_dir.NAME, error) from error

    def _recover_if_idle(self) -> tuple[Recovery, ...]:
        """A commit that is pending while nobody holds the lock was cut short."""
        with self._reading() as at:
            if at is None or not os.listdir(at.pending):
                return ()
            with lock.held_if_free(at) as free:
                return rollback.recover(at) if free else ()

    def _require_writable(self, changes: ChangeSet) -> None:
        paths = dict.fromkeys(path for change in changes.changes for path in (change.path, change.target))
        guards = [(path, self.protection(path)) for path in paths]
        refused = [denied(path, guard.reason) for path, guard in guards if guard.level == "deny"]
        if refused:
            raise PathTraversalError(*refused)
