"""The nouns of a rewrite of messages: what is proposed, what may be done, what was done and can be undone."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.model.commit import Commit


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that is proposed for a commit, or the reason why there is none."""

    commit: Commit
    message: str = ""  #: empty where there is none
    why: str = ""  #: why there is none
    unseen: tuple[str, ...] = ()  #: what a model was not shown, and why


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a rewrite may do only where somebody allows it."""

    pushed: bool = False  #: rewrite commits that a remote has
    merges: bool = False  #: rewrite merges, each with all its parents
    drop_signatures: bool = False  #: rewrite signed commits, which then are unsigned
    shallow: bool = False  #: rewrite in a shallow clone, above its boundary


@dataclass(frozen=True, slots=True)
class RewrittenCommit:
    """One commit object and the one that replaces it."""

    old: str
    new: str
    data: bytes
    is_reworded: bool  #: or only its parents are others


@dataclass(frozen=True, slots=True)
class RewritePlan:
    """A rewrite that is worked out, and not yet done."""

    branch: str  #: the whole name of the ref
    old: str
    new: str
    commits: tuple[RewrittenCommit, ...]  #: parents first
    warnings: tuple[str, ...] = ()  #: what else still points to the old commits

    @property
    def reworded(self) -> int:
        return sum(commit.is_reworded for commit in self.commits)


@dataclass(frozen=True, slots=True)
class Backup:
    """A rewrite that was done, as its backup ref records it."""

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
