"""Rolls back a commit that was not sealed: the same way after an error and after a crash, however often.

Nothing is assumed about how far the commit came. For every name the slot tells: it holds the new file before the step,
and whatever came out after it. A file that is neither the old nor the new one is somebody's work and stays where it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure, InlayError, PathTraversalError, ReplyRejected
from inlay.model.audit import AuditEvent
from inlay.model.file import RepoPath
from inlay.model.receipt import Recovery
from inlay.storage import audit_log
from inlay.storage.paths import confined_open, path_names
from inlay.storage.state import atomic_write, state_dir, syscalls
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, journal
from inlay.storage.transaction.journal import Journal, JournalEntry
from inlay.storage.transaction.swap import digest_at, slot, sync_parents, write_slot


def recover(state: StateDir) -> tuple[Recovery, ...]:
    """Roll back every commit that was interrupted; the caller holds the lock."""
    return tuple(_recover_one(state, number) for number in sorted(os.listdir(state.pending)))


def _recover_one(state: StateDir, number: str) -> Recovery:
    with syscalls.open_directory(number, state.pending) as pending:
        if atomic_write.read(state.receipts, journal.receipt_name(number)):
            recovery = Recovery(number, sealed=True)
        else:
            recovery = _roll_back_journal(state, pending, number)
        outcome = "done" if recovery.sealed else "rolled back"
        left = f"left alone: {', '.join(map(str, recovery.left))}" if recovery.left else ""
        # A damaged log must not keep files from being restored.
        with contextlib.suppress(InlayError, OSError):
            audit_log.append(state, AuditEvent("recovery", receipt=recovery.id, state=outcome, detail=left))
        if recovery.left:
            syscalls.rename(number, state.pending, recovery.kept.rpartition("/")[2], state.top)
            # The number will be used again, and then its backup must not be in the way.
            with contextlib.suppress(FileNotFoundError):
                syscalls.rename(backup.name(number), state.backups, backup.name(number), pending)
        else:
            clean_up(state, pending, number)
        return recovery


def _roll_back_journal(state: StateDir, pending: int, number: str) -> Recovery:
    data = atomic_write.read(pending, journal.NAME)
    recovery = Recovery(number)
    if data:
        name = f"{state_dir.NAME}/pending/{number}/{journal.NAME}"
        recovery = roll_back(state, pending, _trusted(journal.from_bytes(data, name), name))
    if not recovery.left:
        backup.remove(state.backups, backup.name(number))
    return recovery


def _trusted(entries: Journal, name: str) -> Journal:
    """A forged journal must not reach further than a reply."""
    for path in (*(entry.path for entry in entries.entries), *entries.made, *entries.removed):
        try:
            path_names.parse(str(path))
        except PathTraversalError:
            raise EnvironmentFailure(f"{name} is not ours: it names {str(path)!r}; move it away") from None
    return entries


def clean_up(state: StateDir, pending: int, number: str) -> None:
    """Remove a commit's own directory; the journal last, because the rest means nothing without it."""
    for name in sorted(os.listdir(pending), key=lambda name: name == journal.NAME):
        syscalls.unlink(name, pending)
    syscalls.remove_directory(number, state.pending)


def roll_back(state: StateDir, pending: int, plan: Journal) -> Recovery:
    """Restore every name, the last first, and then remove the directories that were made for them."""
    number = plan.receipt.id
    restored: list[RepoPath] = []
    left: list[RepoPath] = []
    for path in reversed(plan.removed):
        with contextlib.suppress(FileExistsError, ReplyRejected), confined_open.parent(state.root, path) as above:
            syscalls.make_directory(path.name, 0o777, above)
    for index, entry in reversed(list(enumerate(plan.entries))):
        step = _FileRestore(state, pending, index, entry, number)
        outcome = step.restore()
        outcome = False if step.holds_other_work() else outcome
        if outcome is not None:
            (restored if outcome else left).append(entry.path)
    remove_directories(state.root, tuple(reversed(plan.made)))
    for entry in plan.entries:
        # A file behind a link was left alone, so there is nothing to sync.
        with contextlib.suppress(ReplyRejected):
            sync_parents(state.root, [entry.path])
    syscalls.sync(pending)
    kept = f"{state_dir.NAME}/{_free_name(state.top, number)}" if left else ""
    return Recovery(number, tuple(reversed(restored)), tuple(reversed(left)), kept)


def _free_name(top: int, number: str) -> str:
    """Where to keep what was not restored; the number of a change that was rolled back is used again."""
    taken = set(os.listdir(top))
    names = (f"kept-{number}", *(f"kept-{number}.{copy}" for copy in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def remove_directories(root: int, directories: tuple[RepoPath, ...]) -> None:
    """Remove directories, innermost first, unless there is something in them."""
    for path in directories:
        with contextlib.suppress(OSError, ReplyRejected), confined_open.parent(root, path) as above:
            with syscalls.open_directory(path.name, above) as directory:
                is_empty = not os.listdir(directory)
            # Checked first: a call that must fail would hide one that should not.
            if is_empty:
                syscalls.remove_directory(path.name, above)
                syscalls.sync(above)


@dataclass(frozen=True, slots=True)
class _FileRestore:
    """One name of a commit that is being rolled back."""

    state: StateDir
    pending: int
    index: int
    entry: JournalEntry
    number: str

    def restore(self) -> bool | None:
        """True when the old content is restored, None when it never went, False when somebody's work is there."""
        try:
            with confined_open.parent(self.state.root, self.entry.path) as directory:
                if not self.entry.old:
                    return self._uncreate(directory)
                if not self.entry.new:
                    return self._undelete(directory)
                return self._unreplace(directory)
        except FileNotFoundError:
            return False if self.entry.old else None
        except ReplyRejected:
            # A link or a file is in the directory's place, which matters only after the step.
            return None if digest_at(self.pending, slot(self.index)) == self.entry.new else False

    def holds_other_work(self) -> bool:
        """Whether a file that is neither old nor new came out and was not put back; it must not be removed."""
        ours = ("", self.entry.old, self.entry.new)
        return any(digest_at(self.pending, name) not in ours for name in (slot(self.index), self._taken))

    @property
    def _taken(self) -> str:
        return f"{self.index}.taken"

    def _uncreate(self, directory: int) -> bool | None:
        name, waiting = self.entry.path.name, digest_at(self.pending, slot(self.index))
        present = digest_at(directory, name)
        if waiting == self.entry.new and not _same(directory, name, self.pending, slot(self.index)):
            return None
        if present not in ("", self.entry.new):
            return False
        if not present:
            return None
        # The file goes back into the commit's directory, and is checked only there.
        with contextlib.suppress(FileNotFoundError):
            syscalls.unlink(self._taken, self.pending)
        syscalls.rename(name, directory, self._taken, self.pending)
        if digest_at(self.pending, self._taken, settled=True) == self.entry.new:
            return True
        syscalls.rename_new(self._taken, self.pending, name, directory)
        return False

    def _undelete(self, directory: int) -> bool | None:
        came_out, present = digest_at(self.pending, slot(self.index)), digest_at(directory, self.entry.path.name)
        if present:
            return None if present == self.entry.old or not came_out else False
        if not came_out:
            self._restage()
        syscalls.rename_new(slot(self.index), self.pending, self.entry.path.name, directory)
        return True

    def _unreplace(self, directory: int) -> bool | None:
        name, waiting = self.entry.path.name, digest_at(self.pending, slot(self.index))
        present = digest_at(directory, name)
        if self._is_untouched(directory, present, waiting):
            return None
        if present != self.entry.new:
            return False
        if not waiting:
            self._restage()
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

    def _is_untouched(self, directory: int, present: str, waiting: str) -> bool:
        """Whether the name still holds, or holds again, the old file."""
        if self.entry.old != self.entry.new or self.entry.new_meta is None:
            return present == self.entry.old or waiting == self.entry.new
        # Only the modes differ, so they tell the two files apart.
        mode = self.entry.new_meta.mode
        if waiting:
            return waiting == self.entry.new and _mode(self.pending, slot(self.index)) == mode
        return bool(present) and _mode(directory, self.entry.path.name) != mode

    def _restage(self) -> None:
        """The old file from its backup, where the system did not leave us the file itself."""
        content = backup.read(self.state.backups, backup.name(self.number)).get(self.entry.old)
        if content is None:
            raise EnvironmentFailure(f"{self.entry.path} cannot be restored, because its backup cannot be read")
        # Not into the slot: half a file there would be taken for what came out.
        again = f"{self.index}.again"
        with contextlib.suppress(FileNotFoundError):
            syscalls.unlink(again, self.pending)
        write_slot(self.pending, again, content, self.entry.old_meta, self.entry.path)
        syscalls.rename(again, self.pending, slot(self.index), self.pending)


def _mode(directory: int, name: str) -> int:
    return stat.S_IMODE(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)


def _same(directory: int, name: str, other_directory: int, other: str) -> bool:
    """Whether both names are one file, as when a process died between making the second and removing the first."""
    try:
        one = os.stat(name, dir_fd=directory, follow_symlinks=False)
        two = os.stat(other, dir_fd=other_directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(one, two)
