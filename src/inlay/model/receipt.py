"""What a landing wrote: enough to tell a person, and to find the same bytes again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.model.file import RepoPath

Action: TypeAlias = Literal["created", "updated", "deleted", "moved"]


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
