"""Takes back a commit that was not sealed: the same way after an error and after a crash, however often.

Nothing is assumed about how far the commit came. For every name the slot tells: it holds the new file while the step
was not taken, and whatever came out once it was. A file that is neither the old nor the new one is somebody's work and
stays where it is.
"""

from __future__ import annotations

import contextlib
import os

from inlay.errors import EnvironmentFailure, InlayError, PathTraversalError, ReplyRejected
from inlay.model.audit import AuditEvent
from inlay.model.file import RepoPath
from inlay.model.receipt import Recovery
from inlay.storage.audit import audit_log
from inlay.storage.paths import confined_open, path_names
from inlay.storage.state import state_dir, syscalls
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup, journal
from inlay.storage.transaction.journal import Journal
from inlay.storage.transaction.restore_file import FileRestore
from inlay.storage.transaction.swap import sync_parents

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def recover(at: Home) -> tuple[Recovery, ...]:
    """Take back every commit that was cut short; the lock must be held."""
    return tuple(_recover_one(at, number) for number in sorted(os.listdir(at.pending)))


def _recover_one(at: Home, number: str) -> Recovery:
    pending = os.open(number, _DIRECTORY, dir_fd=at.pending)
    try:
        if state_dir.read(at.receipts, journal.receipt_name(number)):
            found = Recovery(number, sealed=True)
        else:
            found = _take_back(at, pending, number)
        _record(at, found)
        if found.left:
            syscalls.rename(number, at.pending, found.kept.rpartition("/")[2], at.top)
            # The number is given again, and then its backup must not be in the way.
            with contextlib.suppress(FileNotFoundError):
                syscalls.rename(backup.name(number), at.backups, backup.name(number), pending)
        else:
            sweep(at, pending, number)
        return found
    finally:
        os.close(pending)


def _take_back(at: Home, pending: int, number: str) -> Recovery:
    data = state_dir.read(pending, journal.NAME)
    found = Recovery(number)
    if data:
        name = f"{state_dir.NAME}/pending/{number}/{journal.NAME}"
        found = roll_back(at, pending, _trusted(journal.from_bytes(data, name), name))
    if not found.left:
        backup.remove(at.backups, backup.name(number))
    return found


def _trusted(found: Journal, name: str) -> Journal:
    """A journal that somebody forged must not reach further than a reply."""
    for path in (*(entry.path for entry in found.entries), *found.made, *found.removed):
        try:
            path_names.parse(str(path))
        except PathTraversalError:
            raise EnvironmentFailure(f"{name} is not ours: it names {str(path)!r}; move it away") from None
    return found


def _record(at: Home, found: Recovery) -> None:
    """Say in the log how it ended; a damaged log must not keep files from being put right."""
    state = "done" if found.sealed else "rolled back"
    left = f"left alone: {', '.join(map(str, found.left))}" if found.left else ""
    with contextlib.suppress(InlayError, OSError):
        audit_log.append(at, AuditEvent("recovery", receipt=found.id, state=state, detail=left))


def sweep(at: Home, pending: int, number: str) -> None:
    """Remove what a commit kept for itself; the journal last, for without it the rest means nothing."""
    names = os.listdir(pending)
    for name in sorted(names, key=lambda name: name == journal.NAME):
        syscalls.unlink(name, pending)
    syscalls.remove_directory(number, at.pending)


def roll_back(at: Home, pending: int, found: Journal) -> Recovery:
    """Put every name back, the last first; names which directories were made for go before those."""
    number = found.receipt.id
    restored: list[RepoPath] = []
    left: list[RepoPath] = []
    _make_again(at.root, found.removed)
    for index, entry in reversed(list(enumerate(found.entries))):
        step = FileRestore(at, pending, index, entry, number)
        outcome = step.taken_back()
        outcome = False if step.holds_other_work() else outcome
        if outcome is not None:
            (restored if outcome else left).append(entry.path)
    remove_directories(at.root, tuple(reversed(found.made)))
    for entry in found.entries:
        # What stands behind a link now was left alone, so there is nothing to make last.
        with contextlib.suppress(ReplyRejected):
            sync_parents(at.root, [entry.path])
    syscalls.sync(pending)
    kept = f"{state_dir.NAME}/{_free_name(at.top, number)}" if left else ""
    return Recovery(number, tuple(reversed(restored)), tuple(reversed(left)), kept)


def _free_name(top: int, number: str) -> str:
    """Where to keep what was not put back; the number of a change that was taken back is given again."""
    there = set(os.listdir(top))
    names = (f"kept-{number}", *(f"kept-{number}.{again}" for again in range(2, len(there) + 2)))
    return next(name for name in names if name not in there)


def _make_again(root: int, directories: tuple[RepoPath, ...]) -> None:
    for path in reversed(directories):
        with contextlib.suppress(FileExistsError, ReplyRejected), confined_open.parent(root, path) as above:
            syscalls.make_directory(path.name, 0o777, above)


def remove_directories(root: int, directories: tuple[RepoPath, ...]) -> None:
    """Remove directories, innermost first, unless somebody put something there."""
    for path in directories:
        with contextlib.suppress(OSError, ReplyRejected), confined_open.parent(root, path) as above:
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
