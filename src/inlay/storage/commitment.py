"""How changes reach the disk: every new file is staged beside its place, and only then do the names change.

A single file is never half written. Over several files a failure is rolled back from copies made beforehand; a
process killed between two renames can still leave a part of the set, which takes a journal to mend.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from inlay.errors import EnvironmentFailure, StaleFile
from inlay.model.change import Change, ChangeSet
from inlay.model.file import RepoPath
from inlay.model.receipt import Action, Receipt, Written
from inlay.storage import confinement

_Identity: TypeAlias = tuple[int, int, int]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def commit(root: int, changes: ChangeSet) -> Receipt:
    """Write all changes or none; raises StaleFile when a file is no longer what was read."""
    effective = [change for change in changes.changes if not change.is_noop]
    seen = {change.path: _verify(root, change) for change in effective}
    with _Transaction(root) as transaction:
        for change in effective:
            _stage(transaction, change, seen[change.path])
        transaction.publish()
    return Receipt(tuple(_written(change) for change in effective))


def _verify(root: int, change: Change) -> os.stat_result | None:
    """The file's status, once its content has proved to be the one the change was made for."""
    content = confinement.read(root, change.path)
    if change.before is None:
        if content is not None:
            raise StaleFile(f"{change.path} has been created since the reply was staged; nothing was written")
        return None
    if content is None:
        raise StaleFile(f"{change.path} has gone since it was read; nothing was written")
    if hashlib.sha256(content.data).hexdigest() != change.before.digest:
        raise StaleFile(f"{change.path} has changed since it was read; nothing was written")
    if not content.status.st_mode & 0o222:
        raise EnvironmentFailure(f"{change.path} is write-protected; nothing was written")
    if change.move_to and confinement.status(root, change.move_to) is not None:
        raise StaleFile(f"{change.move_to} has been created since the reply was staged; nothing was written")
    return content.status


def _stage(transaction: _Transaction, change: Change, status: os.stat_result | None) -> None:
    content, before = change.content, change.before
    if before is None or status is None:
        if content is not None:
            transaction.create(change.path, content, None)
        return
    old = before.encoding.encode(before.text)
    if content is not None and change.move_to is None:
        transaction.replace(change.path, content, old, status)
        return
    # The new place first: at no moment is the content of a moved file nowhere.
    if content is not None:
        transaction.create(change.target, content, status)
    transaction.remove(change.path, old, status)


def _written(change: Change) -> Written:
    content = change.content
    return Written(
        path=change.target,
        action=_action(change),
        before=change.before.digest if change.before else "",
        after=hashlib.sha256(content).hexdigest() if content is not None else "",
        source=change.path if change.move_to else None,
    )


def _action(change: Change) -> Action:
    if change.before is None:
        return "created"
    if change.after is None:
        return "deleted"
    return "moved" if change.move_to else "updated"


@dataclass(frozen=True, slots=True)
class _Staged:
    """A file that waits beside the place it is meant for."""

    name: str
    identity: _Identity


@dataclass(frozen=True, slots=True)
class _Step:
    """One change of a name, prepared: only `publish` alters what others see.

    `revert` takes it back, and looks at the disk to learn whether there is anything to take back: an interrupt may come
    between a rename and our knowing of it, and meanwhile somebody else may have written there.
    """

    path: RepoPath
    directory: int
    publish: Callable[[], None]
    revert: Callable[[], None]
    backup: str = ""  #: copy of the old content, beside its place


class _Transaction:
    """Prepared steps that are published together; leaving with an error takes back what was published."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._steps: list[_Step] = []
        self._begun: list[_Step] = []
        self._staged: list[tuple[int, str]] = []
        self._made: list[tuple[int, str]] = []  # directories, outermost first, with their parent's descriptor
        self._directories: dict[str, int] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> _Transaction:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        with self._stack, _undisturbed():
            lost = self._revert() if error is not None else []
            self._sweep(keep={(step.directory, step.backup) for step in lost})
            if error is not None:
                self._remove_made_directories()
        if lost:
            kept = ", ".join(f"{step.path} (its old content is in {step.backup} beside it)" for step in lost)
            raise EnvironmentFailure(f"writing failed, and these files could not be put back: {kept}") from error
        if isinstance(error, OSError):
            raise confinement.failure("the changes could not be written", error) from error

    def replace(self, path: RepoPath, content: bytes, old: bytes, status: os.stat_result) -> None:
        """Prepare new content for a file that exists."""
        directory = self._directory(path)
        new = self._write_beside(directory, content, status)
        backup = self._write_beside(directory, old, status)

        def publish() -> None:
            _expect(directory, path, status)
            os.replace(new.name, path.name, src_dir_fd=directory, dst_dir_fd=directory)

        def revert() -> None:
            if _identity_at(directory, path) == new.identity:
                os.replace(backup.name, path.name, src_dir_fd=directory, dst_dir_fd=directory)

        self._steps.append(_Step(path, directory, publish, revert, backup.name))

    def remove(self, path: RepoPath, old: bytes, status: os.stat_result) -> None:
        """Prepare the removal of a file."""
        directory = self._directory(path)
        backup = self._write_beside(directory, old, status)

        def publish() -> None:
            _expect(directory, path, status)
            os.unlink(path.name, dir_fd=directory)

        def revert() -> None:
            if _identity_at(directory, path) is None:
                _place(directory, backup.name, path)

        self._steps.append(_Step(path, directory, publish, revert, backup.name))

    def create(self, path: RepoPath, content: bytes, like: os.stat_result | None) -> None:
        """Prepare a file where none is; its directories are made now and removed again on failure."""
        directory = self._directory(path, make=True)
        new = self._write_beside(directory, content, like)

        def publish() -> None:
            _place(directory, new.name, path)

        def revert() -> None:
            if _identity_at(directory, path) == new.identity:
                os.unlink(path.name, dir_fd=directory)

        self._steps.append(_Step(path, directory, publish, revert))

    def publish(self) -> None:
        """Change the names, one after the other, and make sure that they last."""
        with _undisturbed():
            for step in self._steps:
                self._begun.append(step)
                step.publish()
            for directory in {step.directory for step in self._steps}:
                os.fsync(directory)

    def _directory(self, path: RepoPath, *, make: bool = False) -> int:
        """The directory that holds `path`, opened once for all files in it."""
        above = path.value.rpartition("/")[0]
        if above not in self._directories:
            if make and above:
                self._make(RepoPath(above))
            self._directories[above] = self._stack.enter_context(confinement.parent(self._root, path))
        return self._directories[above]

    def _make(self, folder: RepoPath) -> None:
        above = self._directory(folder, make=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder.name, dir_fd=above)
            self._made.append((above, folder.name))
            os.fsync(above)

    def _write_beside(self, directory: int, content: bytes, like: os.stat_result | None) -> _Staged:
        # Beside its target: from another file system a rename would be a copy that can stop half-way.
        name = f".inlay-{secrets.token_hex(8)}.tmp"
        self._staged.append((directory, name))
        staged = os.open(name, _NEW, 0o666 if like is None else 0o600, dir_fd=directory)
        with open(staged, "wb") as stream:
            if like is not None:
                _take_after(staged, like)
            stream.write(content)
            stream.flush()
            os.fsync(staged)
            return _Staged(name, _identity(os.fstat(staged)))

    def _revert(self) -> list[_Step]:
        """Take back what was begun, last first; the steps that could not be taken back."""
        lost = []
        for step in reversed(self._begun):
            try:
                step.revert()
            except (OSError, StaleFile):
                # One file that cannot be restored must not keep the others from it.
                lost.append(step)
        return lost

    def _sweep(self, keep: set[tuple[int, str]]) -> None:
        for directory, name in self._staged:
            # A leftover is a nuisance; reporting it as a failure after the names changed would be a lie.
            with contextlib.suppress(OSError):
                if (directory, name) not in keep:
                    os.unlink(name, dir_fd=directory)

    def _remove_made_directories(self) -> None:
        for above, name in reversed(self._made):
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=above)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back interrupts while names change, so that they rarely have to be taken back."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _identity_at(directory: int, path: RepoPath) -> _Identity | None:
    try:
        return _identity(os.stat(path.name, dir_fd=directory, follow_symlinks=False))
    except FileNotFoundError:
        return None


def _identity(status: os.stat_result) -> _Identity:
    """What tells a file from any other, even from one that got its number after it was removed."""
    return status.st_ino, status.st_size, status.st_mtime_ns


def _expect(directory: int, path: RepoPath, status: os.stat_result) -> None:
    """The last look before a name changes: still the very file that was verified."""
    if _identity_at(directory, path) != _identity(status):
        raise StaleFile(f"{path} has changed while the changes were being written; nothing was kept")


def _place(directory: int, staged: str, path: RepoPath) -> None:
    """Give a staged file its name, but never over another file; its first name is swept away later."""
    try:
        os.link(staged, path.name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileExistsError:
        raise StaleFile(f"{path} has been created while the changes were being written; nothing was kept") from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        _place_by_rename(directory, staged, path)


def _place_by_rename(directory: int, staged: str, path: RepoPath) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.stat(path.name, dir_fd=directory, follow_symlinks=False)
        raise StaleFile(f"{path} has been created while the changes were being written; nothing was kept")
    os.rename(staged, path.name, src_dir_fd=directory, dst_dir_fd=directory)


def _take_after(staged: int, like: os.stat_result) -> None:
    """Owner first: changing it clears the set-user-id bits that the mode then restores."""
    own = os.fstat(staged)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(staged, like.st_uid, like.st_gid)
    os.fchmod(staged, like.st_mode & 0o7777)
