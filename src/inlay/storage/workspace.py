"""A project on the disk: what the names in a reply mean, and the way its changes are written."""

from __future__ import annotations

import hashlib
import os
import weakref
from pathlib import Path

from inlay.errors import EditsRefused, InlayError, Misfit, PathTraversalError, ReplyRejected
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.file import File, RepoPath, Snapshot, decode
from inlay.model.protection import Policy, Protection
from inlay.model.receipt import Collected, Contents, Kind, Receipt, Recovery
from inlay.storage import commitment, confinement, listing, naming, protection
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
                names[name] = resolve(name, role, project)
                self._take(names[name], role, files)
            except ReplyRejected as refusal:
                refusals.append(refusal)
        if refusals:
            raise _together(refusals)
        return Snapshot(names, files)

    def commit(self, changes: ChangeSet, *, kind: Kind = "land", summary: str = "") -> Receipt:
        """Write all changes or none; raises StaleFile when a file is no longer what was read."""
        return commitment.commit(self._descriptor, changes)

    def locate(self, name: str) -> RepoPath:
        """The path a name typed by a person or written by a model stands for; links inside the project are resolved."""
        return naming.parse(name)

    def protection(self, path: RepoPath) -> Protection:
        """Whether `path` may be written freely, only when a person agrees, or not at all."""
        return protection.judge(path, self._policy)

    def record(self, *events: AuditEvent) -> None:
        """Add events to the audit log, together and durably; raises when the log is damaged."""

    def records(self) -> tuple[AuditRecord, ...]:
        """The audit log, oldest first."""
        raise NotImplementedError

    def verify_log(self) -> tuple[str, ...]:
        """Everything that shows the audit log to be other than it was written; empty when it is whole."""
        raise NotImplementedError

    def history(self, most: int | None = None) -> tuple[Receipt, ...]:
        """What was committed, newest first."""
        raise NotImplementedError

    def receipt(self, id: str) -> Receipt:
        """One receipt; raises UnknownReceipt."""
        raise NotImplementedError

    def contents(self, id: str) -> tuple[Contents, ...]:
        """The files of a receipt with their bytes before and after."""
        raise NotImplementedError

    def undo(self, id: str | None = None) -> Receipt:
        """Take back a commit, by default the last; raises StaleFile where later work would be lost."""
        raise NotImplementedError

    def redo(self) -> Receipt:
        """Take back the last undo."""
        raise NotImplementedError

    def recover(self) -> tuple[Recovery, ...]:
        """Take back commits that were cut short; done by itself whenever a workspace is opened."""
        raise NotImplementedError

    def collect(self, *, older_than: float | None = None, larger_than: int | None = None) -> Collected:
        """Drop old backups by age in days and by total size in bytes, never the newest."""
        raise NotImplementedError

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
        return confinement.status(self._descriptor, path) is not None

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


def _together(refusals: list[ReplyRejected]) -> ReplyRejected:
    """One refusal with all reasons; a name that leads outside gives it its kind."""
    misfits = dict.fromkeys(misfit for refusal in refusals for misfit in refusal.misfits)
    outside = any(isinstance(refusal, PathTraversalError) for refusal in refusals)
    return (PathTraversalError if outside else EditsRefused)(*misfits)
