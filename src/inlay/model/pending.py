"""Changes that wait for a person: what would be written, what it expects to find, and who wanted it."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.model.match import Match
from inlay.model.receipt import Kind


@dataclass(frozen=True, slots=True)
class PendingChange:
    """One file of a plan, bound to the bytes that were there and to those that would come."""

    path: str
    target: str  #: where the content stands afterwards
    before: str  #: SHA-256 of the bytes that were there, hex; empty for a new file
    after: str | None  #: the new text; None for a deletion
    digest: str  #: SHA-256 of the bytes to write, hex; empty for a deletion
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A plan: everything one call wanted to write."""

    id: str  #: the same for the same changes, so that asking twice makes one plan
    time: str  #: UTC, ISO 8601
    tool: str  #: who wanted it
    kind: Kind
    format: str
    reasons: tuple[str, ...]  #: why a person must decide, one line per file
    changes: tuple[PendingChange, ...]
