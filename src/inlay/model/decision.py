"""What needs approval before it is written, and the decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.codes import Code
from inlay.model.change import ChangeSet
from inlay.model.file import RepoPath

Verdict: TypeAlias = Literal["approve", "skip", "abort"]
#: How new content joins the file that is there.
MergeStrategy: TypeAlias = Literal["append", "insert", "extend", "replace"]
Strategy: TypeAlias = Literal[MergeStrategy, "edit"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why a change needs approval."""

    code: Code
    message: str
    line: int = 0  #: 1-based, in the content after the change; 0 when the whole file is meant


@dataclass(frozen=True, slots=True)
class Need:
    """One file that needs a decision."""

    path: RepoPath
    reasons: tuple[Reason, ...]
    existing_lines: int  #: 0 for a new file
    new_lines: int  #: 0 for a deleted one
    strategies: tuple[Strategy, ...] = ()  #: how the content may be merged; none for a deletion
    is_small: bool = False  #: whether `LandOptions.yes` approves it

    @property
    def headline(self) -> str:
        """What is about to happen, in one line."""
        if not self.strategies:
            return f"About to delete {_lines(self.existing_lines)}"
        if not self.existing_lines:
            return f"About to create a file of {_lines(self.new_lines)}"
        change = self.new_lines - self.existing_lines
        return f"About to replace {_lines(self.existing_lines)} with {_lines(self.new_lines)} ({change:+d})"

    @property
    def codes(self) -> frozenset[Code]:
        return frozenset(reason.code for reason in self.reasons)


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one file, or on every file that has no decision of its own."""

    path: RepoPath | None  #: None for every other file that needs a decision
    verdict: Verdict = "approve"
    strategy: Strategy | None = None  #: None to take the change as it was proposed
    line: int | None = None  #: 1-based, for "insert": the new lines go before it
    content: str | None = None  #: for "edit": the file's whole new text
    replace_existing: bool = False  #: for "extend": whether existing members are replaced
    digest: str = ""  #: SHA-256 of the bytes that were seen and approved, hex; empty to take what comes out
    by: str = "caller"  #: who decided, for the audit log: "person" at the terminal, "file", "graph", "force", "yes"

    @classmethod
    def of(cls, path: str, verdict: Verdict = "approve", strategy: Strategy | None = None) -> Decision:
        """A decision on the file of that name."""
        return cls(RepoPath(path), verdict, strategy)


#: Called once with every file that needs a decision; nothing is written while any has none.
Approve: TypeAlias = Callable[[tuple[Need, ...], ChangeSet], Sequence[Decision]]


def fingerprint(changes: ChangeSet) -> str:
    """One digest of everything a change set would write and of what it expects to find."""
    facts = [
        [
            *(str(change.path), str(change.target), change.before.digest if change.before else None),
            *(change.digest or None, *([change.git_mode] if change.git_mode else [])),
        ]
        for change in changes.changes
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
