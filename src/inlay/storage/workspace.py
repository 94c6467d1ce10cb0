"""A project on the disk: what the names in a reply mean, and the way its changes are written."""

from __future__ import annotations

import contextlib
import hashlib
import os
import weakref
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from inlay.errors import (
    EditsRefused,
    EnvironmentFailure,
    InlayError,
    Misfit,
    PathTraversalError,
    ReplyRejected,
    UnknownReceipt,
)
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.file import File, RepoPath, Snapshot, decode
from inlay.model.protection import Policy, Protection
from inlay.model.receipt import Collected, Contents, Kind, Receipt, Recovery
from inlay.storage import (
    audit,
    commitment,
    confinement,
    history,
    home,
    links,
    listing,
    lock,
    naming,
    protection,
    recovery,
    retention,
    reversal,
)
from inlay.storage import plan as plans
from inlay.storage.home import Home
from inlay.storage.redaction import redact
from inlay.storage.resolution import Project, Role, resolve, roles

_MOST_SEARCHED = 64 << 20  # bytes read to find out where a block really stands
_LARGEST_SEARCHED = 2 << 20


class Workspace:
    """One project directory, opened once; everything below is reached from that descriptor only."""

    def __init__(self, root: str | os.PathLike[str], *, policy: Policy | None = None, wait: float = 10.0) -> None:
        self.root = Path(root).absolute()
        self._policy = policy or protection.configured(self.root)
        self._wait = wait  # seconds that a commit waits for another writer
        self._descriptor = confinement.open_root(str(self.root))
        self._close = weakref.finalize(self, os.close, self._descriptor)
        self._recovered = self._recover_if_idle()

    def __repr__(self) -> str:
        return f"Workspace({str(self.root)!r})"

    def resolve(self, reading: Reading) -> Snapshot:
        """The files a reply means, as they are now; raises with every name that cannot be meant."""
        project = Project(self.root.resolve().name, self._exists, self.files)
        names: dict[str, RepoPath] = {}
        files: dict[RepoPath, File] = {}
        refusals: list[ReplyRejected] = []
        for name, role in roles(reading).items():
            try:
                names[name] = self._meant(resolve(name, role, project), role)
                self._take(names[name], role, files)
            except ReplyRejected as refusal:
                refusals.append(refusal)
        if refusals:
            raise _together(refusals)
        return Snapshot(names, files)

    def commit(self, changes: ChangeSet, *, kind: Kind = "land", summary: str = "") -> Receipt:
        """Write all changes or none; raises StaleFile when a file is no longer what was read."""
        written = plans.written(changes)
        if not written:
            return Receipt(kind=kind, summary=summary)
        self._require_writable(changes)
        with self._writing() as at:
            plan = plans.of(self._descriptor, changes)
            plans.require_free(self._descriptor, plan)
            return commitment.commit(at, plan, Receipt(written, kind=kind, summary=redact(summary)))

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
            return commitment.commit(at, reversal.plan(at, found), reversal.receipt(found.receipt, kind))

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
            audit.append(at, *events)

    def records(self) -> tuple[AuditRecord, ...]:
        """The audit log, oldest first; raises LogDamaged."""
        with self._reading() as at:
            return tuple(audit.records(at)) if at else ()

    def verify_log(self) -> tuple[str, ...]:
        """Everything that shows the audit log to be other than it was written; empty when it is whole."""
        with self._reading() as at:
            try:
                return tuple(audit.verify(at, history.anchors(at))) if at else ()
            except EnvironmentFailure as damage:
                return (str(damage),)

    def restart_log(self) -> str:
        """Set a damaged log aside and begin a new one; tells where the old one is."""
        with self._writing() as at:
            aside = f"log-{audit.now().replace(':', '')}"
            audit.restart(at, aside, max(commitment.numbers(at), default=0))
            return f"{home.NAME}/{aside}"

    def recover(self) -> tuple[Recovery, ...]:
        """Take back commits that were cut short; done by itself whenever a workspace is opened."""
        found, self._recovered = self._recovered, ()
        with self._reading() as at:
            if at is None or not os.listdir(at.pending):
                return found
            with lock.held(at, self._wait):
                return found + recovery.recover(at)

    def collect(self, *, older_than: float | None = None, larger_than: int | None = None) -> Collected:
        """Drop old backups by age in days and by total size in bytes, never the newest."""
        with self._writing() as at:
            return retention.collect(at, older_than, larger_than)

    def locate(self, name: str) -> RepoPath:
        """The path that a name stands for, links inside the project resolved; raises for one that no file may have."""
        return self._canonical(naming.parse(name))

    def protection(self, path: RepoPath) -> Protection:
        """Whether `path` may be written freely, only when a person agrees, or not at all."""
        return protection.judge(path, self._policy)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Home]:
        """The project's own directory, under the lock, with nothing left of commits that were cut short."""
        try:
            with home.made(self._descriptor) as at, lock.held(at, self._wait):
                self._recovered += recovery.recover(at)
                yield at
        except OSError as error:
            raise confinement.failure("the changes could not be written", error) from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Home | None]:
        try:
            with home.existing(self._descriptor) as at:
                yield at
        except OSError as error:
            raise confinement.failure(home.NAME, error) from error

    def _recover_if_idle(self) -> tuple[Recovery, ...]:
        """A commit that is pending while nobody holds the lock was cut short."""
        with self._reading() as at:
            if at is None or not os.listdir(at.pending):
                return ()
            with lock.held_if_free(at) as free:
                return recovery.recover(at) if free else ()

    def _require_writable(self, changes: ChangeSet) -> None:
        denied = []
        for change in changes.changes:
            for path in {change.path, change.target}:
                if (found := self.protection(path)).level == "deny":
                    denied.append(_denied(path, found.reason))
        if denied:
            raise PathTraversalError(*denied)

    def _canonical(self, path: RepoPath) -> RepoPath:
        """Where a path leads; judged by the name that was asked for and by the one it stands for."""
        found = links.resolve(self._descriptor, path)
        if found != path:
            naming.parse(str(found))
        for name in (path, found):
            if (guard := self.protection(name)).level == "deny":
                raise PathTraversalError(_denied(name, guard.reason))
        return found

    def read(self, path: RepoPath) -> File | None:
        """One file as it is now, or None where there is none; raises for what is not text."""
        content = confinement.read(self._descriptor, path)
        if content is None:
            return None
        decoded = decode(content.data)
        if decoded is None:
            message = f"{path} is binary, not text"
            raise EditsRefused(Misfit("binary", message, "Edit text files only.", path=str(path)))
        digest = hashlib.sha256(content.data).hexdigest()
        return File(path, *decoded, digest, content.status.st_mode & 0o7777)

    def files(self) -> tuple[str, ...]:
        """The project's own files, sorted; git decides what is ignored where there is git."""
        return listing.list_files(str(self.root))

    def search(self, wanted: str, *, skip: RepoPath) -> tuple[RepoPath, ...]:
        """Which other files hold `wanted` line for line; gives up on large files and large projects."""
        needle = f"\n{wanted}\n"
        budget, found = _MOST_SEARCHED, []
        for path in self._searchable(skip):
            text = self._text(path)
            budget -= len(text)
            if budget < 0:
                break
            if needle in f"\n{text}\n":
                found.append(path)
        return tuple(found)

    def _searchable(self, skip: RepoPath) -> list[RepoPath]:
        paths = []
        for name in self.files():
            try:
                path = naming.parse(name)
            except PathTraversalError:
                continue
            if path != skip:
                paths.append(path)
        return paths

    def _text(self, path: RepoPath) -> str:
        """The text of a file with plain line ends; empty for whatever cannot be read as text."""
        try:
            content = confinement.read(self._descriptor, path, limit=_LARGEST_SEARCHED)
        except InlayError:
            return ""
        decoded = decode(content.data) if content else None
        return decoded[0].replace("\r\n", "\n") if decoded else ""

    def _exists(self, path: RepoPath) -> bool:
        return confinement.status(self._descriptor, self._canonical(path)) is not None

    def _meant(self, path: RepoPath, role: Role) -> RepoPath:
        found = self._canonical(path)
        # What removes or creates a file means the name itself, and not what a link of that name leads to.
        if role in (Role.REMOVE, Role.NEW) and found.name != path.name:
            raise confinement.linked(path, path.name)
        return found

    def _take(self, path: RepoPath, role: Role, files: dict[RepoPath, File]) -> None:
        if path in files:
            return
        file = self.read(path)
        if file is not None:
            files[path] = file
        elif role in (Role.NEW, Role.WHOLE):
            self._judge_new(path)

    def _judge_new(self, path: RepoPath) -> None:
        if misfit := naming.judge_new(path):
            raise EditsRefused(misfit)
        if twin := naming.twin(path.name, confinement.names_beside(self._descriptor, path)):
            message = f"a new file {path} cannot stand beside {twin!r}: some systems take the two names for one"
            raise EditsRefused(Misfit("path-alias", message, "Use the existing name, or another.", path=str(path)))


def _denied(path: RepoPath, reason: str) -> Misfit:
    message = f"{path} must not be written, because it is {reason}"
    return Misfit("path-protected", message, "Leave this file alone.", path=str(path))


def _together(refusals: list[ReplyRejected]) -> ReplyRejected:
    """One refusal with all reasons; a name that leads outside gives it its kind."""
    misfits = dict.fromkeys(misfit for refusal in refusals for misfit in refusal.misfits)
    outside = any(isinstance(refusal, PathTraversalError) for refusal in refusals)
    return (PathTraversalError if outside else EditsRefused)(*misfits)
