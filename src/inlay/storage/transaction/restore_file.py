"""One step of a commit taken back: a name gets back what it held, and what it holds now is looked at once it is out."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure, ReplyRejected
from inlay.model.file import RepoPath
from inlay.storage.paths import confined_open, file_metadata
from inlay.storage.state import syscalls
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup
from inlay.storage.transaction.journal import JournalEntry, Meta
from inlay.storage.transaction.swap import digest_at, slot


@dataclass(frozen=True, slots=True)
class FileRestore:
    """One name of a commit that is being taken back."""

    at: Home
    pending: int
    index: int
    entry: JournalEntry
    number: str

    def taken_back(self) -> bool | None:
        """True when the old content is there again, None when it never went, False when somebody's work is there."""
        try:
            with confined_open.parent(self.at.root, self.entry.path) as directory:
                if not self.entry.old:
                    return self._uncreate(directory)
                if not self.entry.new:
                    return self._undelete(directory)
                return self._unreplace(directory)
        except FileNotFoundError:
            return False if self.entry.old else None
        except ReplyRejected:
            # A link or a file stands where the directory was, which matters only where the step had been taken.
            return None if digest_at(self.pending, slot(self.index)) == self.entry.new else False

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
        content = backup.read(self.at.backups, backup.name(self.number)).get(self.entry.old)
        if content is None:
            raise EnvironmentFailure(f"{self.entry.path} cannot be put back, for its backup cannot be read")
        # Not into the slot: half a file there would be taken for what came out.
        again = f"{self.index}.again"
        with contextlib.suppress(FileNotFoundError):
            syscalls.unlink(again, self.pending)
        write_slot(self.pending, again, content, self.entry.old_meta, self.entry.path)
        syscalls.rename(again, self.pending, slot(self.index), self.pending)


def write_slot(pending: int, name: str, content: bytes, meta: Meta | None, path: RepoPath) -> Meta:
    """A file that waits for its name, on the disk with all that belongs to it; tells what that is."""
    descriptor = syscalls.create(name, 0o666 if meta is None else 0o600, pending)
    try:
        syscalls.write(descriptor, content)
        if meta is not None:
            file_metadata.give(descriptor, meta, path)
        syscalls.sync(descriptor)
        return file_metadata.of(descriptor)
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
