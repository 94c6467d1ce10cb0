"""Takes back a commit that was not sealed: the same way after an error and after a crash, however often.

Nothing is assumed about how far the commit came. For every name the slot tells: it holds the new file while the step
was not taken, and whatever came out once it was. A file that is neither the old nor the new one is somebody's work and
stays where it is.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure, InlayError, ReplyRejected
from inlay.model.audit import AuditEvent
from inlay.model.file import RepoPath
from inlay.model.receipt import Recovery
from inlay.storage import audit, confinement, home, journal, metadata, naming, pack, syscalls
from inlay.storage.home import Home
from inlay.storage.journal import Entry, Journal
from inlay.storage.publishing import digest_at, slot, sync_parents

JOURNAL = "journal"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def receipt_name(number: str) -> str:
    """The file in which a sealed journal is kept."""
    return f"{number}.json"


def backup_name(number: str) -> str:
    """The file in which the contents of a commit are kept."""
    return f"{number}.pack"


def recover(at: Home) -> tuple[Recovery, ...]:
    """Take back every commit that was cut short; the lock must be held."""
    return tuple(_recover_one(at, number) for number in sorted(os.listdir(at.pending)))


def _recover_one(at: Home, number: str) -> Recovery:
    pending = os.open(number, _DIRECTORY, dir_fd=at.pending)
    try:
        if home.read(at.receipts, receipt_name(number)):
            found = Recovery(number, sealed=True)
        else:
            found = _take_back(at, pending, number)
        _record(at, found)
        if found.left:
            syscalls.rename(number, at.pending, f"kept-{number}", at.top)
        else:
            sweep(at, pending, number)
        return found
    finally:
        os.close(pending)


def _take_back(at: Home, pending: int, number: str) -> Recovery:
    data = home.read(pending, JOURNAL)
    found = Recovery(number)
    if data:
        found = roll_back(at, pending, journal.from_bytes(data, f".inlay/pending/{number}/{JOURNAL}"))
    if not found.left:
        pack.remove(at.backups, backup_name(number))
    return found


def _record(at: Home, found: Recovery) -> None:
    """Say in the log how it ended; a damaged log must not keep files from being put right."""
    state = "done" if found.sealed else "rolled back"
    left = f"left alone: {', '.join(map(str, found.left))}" if found.left else ""
    with contextlib.suppress(InlayError, OSError):
        audit.append(at, AuditEvent("recovery", receipt=found.id, state=state, detail=left))


def sweep(at: Home, pending: int, number: str) -> None:
    """Remove what a commit kept for itself; the journal last, for without it the rest means nothing."""
    names = os.listdir(pending)
    for name in sorted(names, key=lambda name: name == JOURNAL):
        syscalls.unlink(name, pending)
    syscalls.remove_directory(number, at.pending)


def roll_back(at: Home, pending: int, found: Journal) -> Recovery:
    """Put every name back, the last first; names which directories were made for go before those."""
    number = found.receipt.id
    restored: list[RepoPath] = []
    left: list[RepoPath] = []
    _make_again(at.root, found.removed)
    for index, entry in reversed(list(enumerate(found.entries))):
        naming.parse(str(entry.path))  # a journal that somebody forged must not reach further than a reply
        step = _Step(at, pending, index, entry, number)
        outcome = step.taken_back()
        if step.holds_other_work():
            outcome = False
        if outcome is not None:
            (restored if outcome else left).append(entry.path)
    remove_directories(at.root, tuple(reversed(found.made)))
    sync_parents(at.root, [entry.path for entry in found.entries])
    syscalls.sync(pending)
    kept = f"{home.NAME}/kept-{number}" if left else ""
    return Recovery(number, tuple(reversed(restored)), tuple(reversed(left)), kept)


def _make_again(root: int, directories: tuple[RepoPath, ...]) -> None:
    for path in reversed(directories):
        with contextlib.suppress(FileExistsError), confinement.parent(root, path) as above:
            syscalls.make_directory(path.name, 0o777, above)


def remove_directories(root: int, directories: tuple[RepoPath, ...]) -> None:
    """Remove directories, innermost first, unless somebody put something there."""
    for path in directories:
        with contextlib.suppress(OSError), confinement.parent(root, path) as above:
            # Asked first: a call that must fail would hide one that should not.
            if not _is_occupied(path, above):
                syscalls.remove_directory(path.name, above)
                syscalls.sync(above)


def _is_occupied(path: RepoPath, above: int) -> bool:
    descriptor = os.open(path.name, _DIRECTORY, dir_fd=above)
    try:
        return bool(os.listdir(descriptor))
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class _Step:
    """One name of a commit that is being taken back."""

    at: Home
    pending: int
    index: int
    entry: Entry
    number: str

    def taken_back(self) -> bool | None:
        """True when the old content is there again, None when it never went, False when somebody's work is there."""
        try:
            with confinement.parent(self.at.root, self.entry.path) as directory:
                if not self.entry.old:
                    return self._uncreate(directory)
                if not self.entry.new:
                    return self._undelete(directory)
                return self._unreplace(directory)
        except FileNotFoundError:
            return False if self.entry.old else None
        except ReplyRejected:
            return False  # a link or a file stands where the directory was

    def holds_other_work(self) -> bool:
        """Whether something that is neither old nor new came out and was not put back, which is not ours to remove."""
        known = ("", self.entry.old, self.entry.new)
        return any(digest_at(self.pending, name) not in known for name in (slot(self.index), self._taken))

    @property
    def _taken(self) -> str:
        return f"{self.index}.taken"

    def _uncreate(self, directory: int) -> bool | None:
        name, waiting = self.entry.path.name, digest_at(self.pending, slot(self.index))
        found = digest_at(directory, name)
        if waiting == self.entry.new and not _same(directory, name, self.pending, slot(self.index)):
            return None
        if found in ("", self.entry.new):
            return self._taken_away(directory) if found else None
        return False

    def _taken_away(self, directory: int) -> bool:
        """The file goes back into its slot, and is looked at only there."""
        name, taken = self.entry.path.name, self._taken
        with contextlib.suppress(FileNotFoundError):
            syscalls.unlink(taken, self.pending)
        syscalls.rename(name, directory, taken, self.pending)
        if digest_at(self.pending, taken, settled=True) == self.entry.new:
            return True
        syscalls.rename_new(taken, self.pending, name, directory)
        return False

    def _undelete(self, directory: int) -> bool | None:
        came_out, found = digest_at(self.pending, slot(self.index)), digest_at(directory, self.entry.path.name)
        if found:
            return None if found == self.entry.old or not came_out else False
        if not came_out:
            self._restage()
        syscalls.rename_new(slot(self.index), self.pending, self.entry.path.name, directory)
        return True

    def _unreplace(self, directory: int) -> bool | None:
        name, waiting = self.entry.path.name, digest_at(self.pending, slot(self.index))
        found = digest_at(directory, name)
        if found == self.entry.old or waiting == self.entry.new:
            return None
        if found != self.entry.new:
            return False
        if not waiting:
            self._restage()
        return self._swap(directory)

    def _swap(self, directory: int) -> bool:
        name = self.entry.path.name
        try:
            syscalls.exchange(slot(self.index), self.pending, name, directory)
        except OSError as error:
            if error.errno not in syscalls.UNSUPPORTED:
                raise
            syscalls.rename(slot(self.index), self.pending, name, directory)
            return True
        if digest_at(self.pending, slot(self.index), settled=True) == self.entry.new:
            return True
        syscalls.exchange(slot(self.index), self.pending, name, directory)
        return False

    def _restage(self) -> None:
        """The old file from its backup, where the system did not leave us the file itself."""
        content = pack.read(self.at.backups, backup_name(self.number)).get(self.entry.old)
        if content is None:
            raise EnvironmentFailure(f"{self.entry.path} cannot be put back, for its backup cannot be read")
        # Not into the slot: half a file there would be taken for what came out.
        again = f"{self.index}.again"
        with contextlib.suppress(FileNotFoundError):
            syscalls.unlink(again, self.pending)
        write_slot(self.pending, again, content, self.entry.old_meta, self.entry.path)
        syscalls.rename(again, self.pending, slot(self.index), self.pending)


def write_slot(pending: int, name: str, content: bytes, meta: journal.Meta | None, path: RepoPath) -> journal.Meta:
    """A file that waits for its name, on the disk with all that belongs to it; tells what that is."""
    descriptor = syscalls.create(name, 0o666 if meta is None else 0o600, pending)
    try:
        syscalls.write(descriptor, content)
        if meta is not None:
            metadata.give(descriptor, meta, path)
        syscalls.sync(descriptor)
        return metadata.of(descriptor)
    finally:
        os.close(descriptor)


def _same(directory: int, name: str, other_directory: int, other: str) -> bool:
    """Whether both names are one file, as when a process died between making the second and removing the first."""
    try:
        one = os.stat(name, dir_fd=directory, follow_symlinks=False)
        two = os.stat(other, dir_fd=other_directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(one, two)
