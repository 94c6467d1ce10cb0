"""What a commit wrote: enough to show it, to find the same bytes again, and to undo it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.model.file import RepoPath

Action: TypeAlias = Literal["created", "updated", "deleted", "moved"]
Kind: TypeAlias = Literal["land", "write", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Written:
    """One file that was written, with the digests of its bytes before and after."""

    path: RepoPath  #: where the content is now, or was before it was deleted
    action: Action
    before: str = ""  #: SHA-256 of the old bytes, hex; empty for a new file
    after: str = ""  #: SHA-256 of the new bytes, hex; empty for a deleted file
    source: RepoPath | None = None  #: where a moved file was before


@dataclass(frozen=True, slots=True)
class Receipt:
    """Everything one commit wrote, in the order it was written; empty when there was nothing to do."""

    files: tuple[Written, ...] = ()
    id: str = ""  #: the handle for undo, a number that grows; empty when nothing was written
    time: str = ""  #: UTC, ISO 8601
    kind: Kind = "land"
    summary: str = ""  #: one line for the history
    reverses: str = ""  #: the receipt that an undo or a redo reversed
    notes: tuple[str, ...] = ()  #: what the user should know about how it was written


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of one written file before and after; None where there was no file, or its backup is gone."""

    written: Written
    before: bytes | None
    after: bytes | None
    lost: bool = False  #: the backup has been dropped, so that None does not mean "no file"
    executable: bool | None = None  #: whether the file may be run since; None where that did not change


@dataclass(frozen=True, slots=True)
class Recovery:
    """How an interrupted commit was rolled back."""

    id: str
    restored: tuple[RepoPath, ...] = ()
    left: tuple[RepoPath, ...] = ()  #: hold neither the old nor the new content, because another program wrote them
    kept: str = ""  #: where, relative to the root, the other versions of the files left are
    sealed: bool = False  #: the commit was complete and only had to be cleaned up


@dataclass(frozen=True, slots=True)
class Collected:
    """What removing old backups freed."""

    dropped: tuple[str, ...] = ()  #: receipts whose backups are gone, which cannot be undone
    freed: int = 0  #: bytes


@dataclass(frozen=True, slots=True)
class LaterWork:
    """What undoing a change would lose in one file."""

    path: RepoPath
    lines: tuple[tuple[int, int], ...] = ()  #: first and last line of each stretch, 1-based; empty for the whole file
    problem: str = ""  #: what a check finds in the file without the change

    def __str__(self) -> str:
        lines = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in self.lines)
        several = "s" if len(self.lines) > 1 or "-" in lines else ""
        why = f"line{several} {lines}" if lines else self.problem
        return f"{self.path} ({why})" if why else str(self.path)
