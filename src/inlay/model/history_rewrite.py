"""The nouns of a rewriting of messages: what is proposed, what may be done, what was done and can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.model.commit import Commit


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message for a commit, not yet decided about."""

    commit: Commit
    message: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a rewriting may do that it refuses to do by itself."""

    pushed: bool = False  #: rewrite commits that a remote has
    merges: bool = False  #: rewrite merges, each with all its parents
    drop_signatures: bool = False  #: rewrite signed commits, whose signatures cannot stay
    shallow: bool = False  #: rewrite in a shallow clone, above its boundary


@dataclass(frozen=True, slots=True)
class Rewritten:
    """One commit object, and what takes its place."""

    old: str
    new: str
    data: bytes
    is_reworded: bool  #: or only its parents are others


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rewriting that is worked out, and not yet done."""

    branch: str  #: the whole name of the ref
    old: str
    new: str
    commits: tuple[Rewritten, ...]  #: parents first
    warnings: tuple[str, ...] = ()  #: what else still points to the old commits

    @property
    def reworded(self) -> int:
        return sum(commit.is_reworded for commit in self.commits)


@dataclass(frozen=True, slots=True)
class Backup:
    """A rewriting that was done, as its backup ref remembers it."""

    number: int
    branch: str
    old: str
    new: str
    when: int = 0  #: seconds since 1970
    is_undone: bool = False

    @property
    def ref(self) -> str:
        return f"refs/inlay/backup/{self.number}"

    @property
    def undone_ref(self) -> str:
        return f"refs/inlay/undone/{self.number}"
