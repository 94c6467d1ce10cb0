"""What a commit is to write, name by name, after checking that every file is the one that the changes were made for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from inlay.errors import EnvironmentFailure, StaleFile
from inlay.model.change import Change, ChangeSet
from inlay.model.file import RepoPath
from inlay.model.receipt import Written
from inlay.storage.paths import confined_open
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.transaction import backup


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One name, its bytes before and after; None for no file."""

    path: RepoPath
    old: bytes | None
    new: bytes | None
    old_meta: Meta | None = None
    new_meta: Meta | None = None  #: None gives a new file the user's defaults
    executable: bool = False  #: whether those defaults include that it may be run


@dataclass(frozen=True, slots=True)
class WriteSet:
    """All steps, new places before old ones: at no moment is the content of a moved file nowhere."""

    steps: tuple[FileWrite, ...]
    made: tuple[RepoPath, ...] = ()  #: directories, outermost first
    removed: tuple[RepoPath, ...] = ()  #: directories to remove if empty, innermost first


def of(root: int, changes: ChangeSet) -> WriteSet:
    """The steps that changes need; raises StaleFile when a file is no longer what was read, or a new one is there."""
    steps = [step for change in changes.changes if not change.is_noop for step in _steps(root, change)]
    # One step per name: a file that is removed and one that is created in its place are a replacement.
    joined: dict[RepoPath, FileWrite] = {}
    for step in steps:
        other = joined.get(step.path)
        if other is None:
            joined[step.path] = step
        elif other.new is None and step.old is None:
            joined[step.path] = replace(other, new=step.new, new_meta=step.new_meta, executable=step.executable)
        elif other.old is None and step.new is None:
            joined[step.path] = replace(step, new=other.new, new_meta=other.new_meta, executable=other.executable)
        else:
            raise StaleFile(f"{step.path} would be written twice; nothing was written")
    for path, step in joined.items():
        if step.old is None and confined_open.status(root, path) is not None:
            raise StaleFile(f"{path} was created since the reply was staged; nothing was written")
    return with_directories(root, tuple(joined.values()))


def with_directories(root: int, steps: tuple[FileWrite, ...], removed: tuple[RepoPath, ...] = ()) -> WriteSet:
    """The steps with the directories that their new files need."""
    needed: dict[RepoPath, None] = {}
    for step in steps:
        parts = step.path.value.split("/")[:-1] if step.new is not None else []
        needed |= {RepoPath("/".join(parts[: i + 1])): None for i in range(len(parts))}
    missing = [path for path in needed if confined_open.status(root, path) is None]
    return WriteSet(steps, tuple(sorted(missing, key=lambda path: path.value.count("/"))), removed)


def _steps(root: int, change: Change) -> Iterator[FileWrite]:
    if change.before is None:
        yield FileWrite(change.path, None, change.content, executable=bool(change.executable))
        return
    present = confined_open.read(root, change.path)
    if present is None:
        raise StaleFile(f"{change.path} was removed since it was read; nothing was written")
    if backup.digest(present.data) != change.before.digest:
        raise StaleFile(f"{change.path} changed since it was read; nothing was written")
    if not present.status.st_mode & 0o222:
        raise EnvironmentFailure(f"{change.path} is write-protected; nothing was written")
    meta = replace(present.meta, mode=change.permissions(present.meta.mode))
    if change.move_to is None:
        yield FileWrite(change.path, present.data, change.content, present.meta, meta)
        return
    yield FileWrite(change.move_to, None, change.content, None, meta)
    yield FileWrite(change.path, present.data, None, present.meta)


def written(changes: ChangeSet) -> tuple[Written, ...]:
    return tuple(
        Written(
            path=change.target,
            action=change.action,
            before=change.before.digest if change.before else "",
            after=change.digest,
            source=change.path if change.move_to else None,
        )
        for change in changes.changes
        if not change.is_noop
    )
