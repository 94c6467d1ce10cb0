"""The changes to the files, each with the content before and after."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from inlay.model.allowance import Allowance
from inlay.model.file import Encoding, File, RepoPath
from inlay.model.match import Match
from inlay.model.receipt import Action

_MAY_RUN = 0o100  # the owner's bit decides, as in git


@dataclass(frozen=True, slots=True)
class Change:
    """One file's before and after; `before` is None for a new file, `after` is None for a deleted one."""

    path: RepoPath
    before: File | None
    after: str | None
    matches: tuple[Match, ...] = ()
    move_to: RepoPath | None = None
    executable: bool | None = None  #: whether the file may be run afterwards; None to leave that as it is
    woven: bool = False  #: a reply gave the whole file, and it was merged line by line with the one that exists
    adapted: tuple[str, ...] = ()  #: what was assumed about the names in the reply

    @property
    def target(self) -> RepoPath:
        """Where the content is afterwards."""
        return self.move_to or self.path

    @property
    def content(self) -> bytes | None:
        """The bytes to write, in the encoding the file had; None for a deletion."""
        if self.after is None:
            return None
        return (self.before.encoding if self.before else Encoding()).encode(self.after)

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes to write, hex; empty for a deletion."""
        return "" if (content := self.content) is None else hashlib.sha256(content).hexdigest()

    @property
    def is_noop(self) -> bool:
        """Whether the file already is what the reply wants."""
        kept = self.before is not None and self.before.text == self.after and self.move_to is None
        return kept and self.git_mode is None

    @property
    def git_mode(self) -> str | None:
        """The mode that the file gets, as git writes it; None where its permissions stay as they are."""
        was = self.before is not None and bool(self.before.mode & _MAY_RUN)
        if self.after is None or self.executable is None or self.executable == was:
            return None
        return "100755" if self.executable else "100644"

    def permissions(self, existing: int) -> int:
        """The permission bits of a file that has `existing`: whoever may read an executable file may run it."""
        if self.git_mode is None:
            return existing
        return existing | (existing & 0o444) >> 2 if self.executable else existing & ~0o111

    @property
    def outcome(self) -> Action | Literal["unchanged"]:
        return "unchanged" if self.is_noop else self.action

    @property
    def action(self) -> Action:
        """What happens to the file when the change is written."""
        if self.before is None:
            return "created"
        if self.after is None:
            return "deleted"
        return "moved" if self.move_to else "updated"


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All changes of one reply; they land together or not at all."""

    changes: tuple[Change, ...]
    format: str = ""
    warnings: tuple[str, ...] = ()
    allow: frozenset[Allowance] = frozenset()  #: what a person declares to be content
