"""A proposed change set as one JSON record in a run's folder, its contents stored apart by their digests."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inlay.errors import EnvironmentFailure
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.model.match import Match
from inlay.storage.state import record_codec
from inlay.storage.stores.runs import RunFolder


@dataclass(frozen=True, slots=True)
class _ChangeRecord:
    path: str
    move_to: str | None
    before: str | None  #: digest of the bytes that were there
    mode: int
    after: str | None  #: digest of the new text
    matches: tuple[Match, ...]
    executable: bool | None = None
    woven: bool = False


@dataclass(frozen=True, slots=True)
class _ChangeSetRecord:
    format: str
    changes: tuple[_ChangeRecord, ...]


def store(changes: ChangeSet, contents: RunFolder) -> str:
    """Store a change set; returns the digest by which `load` finds it."""
    records = tuple(_record(change, contents) for change in changes.changes)
    return contents.put(record_codec.encode(_ChangeSetRecord(changes.format, records), sort_keys=True))


def load(digest: str, contents: RunFolder) -> ChangeSet:
    """A change set as it was stored; raises EnvironmentFailure where a content is lost or damaged."""
    try:
        stored = record_codec.decode(contents.get(digest), _ChangeSetRecord)
    except ValueError as error:
        raise EnvironmentFailure(f"a stored change set cannot be read: {error}") from None
    return ChangeSet(tuple(_change(record, contents) for record in stored.changes), stored.format)


def _record(change: Change, contents: RunFolder) -> _ChangeRecord:
    before = change.before
    return _ChangeRecord(
        str(change.path),
        str(change.move_to) if change.move_to else None,
        None if before is None else contents.put(before.encoding.encode(before.text)),
        before.mode if before else 0,
        None if change.after is None else contents.put(change.after),
        change.matches,
        change.executable,
        change.woven,
    )


def _change(record: _ChangeRecord, contents: RunFolder) -> Change:
    content = None if record.before is None else contents.get(record.before)
    before = None if content is None else replace(File.of(record.path, content), mode=record.mode)
    after = None if record.after is None else contents.text(record.after)
    move_to = RepoPath(record.move_to) if record.move_to else None
    return Change(RepoPath(record.path), before, after, record.matches, move_to, record.executable, record.woven)
