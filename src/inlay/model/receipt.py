"""What a commit wrote: enough to tell a person, to find the same bytes again, and to take it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.model.file import RepoPath

Action: TypeAlias = Literal["created", "updated", "deleted", "moved"]
Kind: TypeAlias = Literal["land", "write", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Written:
    """One file that was written, with the digests that prove which bytes went and which came."""

    path: RepoPath  #: where the content stands now, or stood before it was deleted
    action: Action
    before: str = ""  #: SHA-256 of the old bytes, hex; empty for a new file
    after: str = ""  #: SHA-256 of the new bytes, hex; empty for a deleted file
    source: RepoPath | None = None  #: where a moved file stood before


@dataclass(frozen=True, slots=True)
class Receipt:
    """Everything one commit wrote, in the order it was written; empty when there was nothing to do."""

    files: tuple[Written, ...] = ()
    id: str = ""  #: the handle for undo, a number that grows; empty when nothing was written
    time: str = ""  #: UTC, ISO 8601
    kind: Kind = "land"
    summary: str = ""  #: one line for the history
    reverses: str = ""  #: the receipt that an undo or a redo took back
    notes: tuple[str, ...] = ()  #: what a person should know about how it was written


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of one written file before and after; None where there was no file, or its backup is gone."""

    written: Written
    before: bytes | None
    after: bytes | None
    lost: bool = False  #: the backup has been dropped, so that None does not mean "no file"


@dataclass(frozen=True, slots=True)
class Recovery:
    """How a commit that was cut short was taken back."""

    id: str
    restored: tuple[RepoPath, ...] = ()
    left: tuple[RepoPath, ...] = ()  #: hold neither the old nor the new content, so somebody wrote there since
    kept: str = ""  #: where, relative to the root, the other versions of the files left are
    sealed: bool = False  #: the commit was complete, only its traces were not swept away


@dataclass(frozen=True, slots=True)
class Collected:
    """What dropping old backups gained."""

    dropped: tuple[str, ...] = ()  #: receipts whose contents are gone, which cannot be undone any more
    freed: int = 0  #: bytes
