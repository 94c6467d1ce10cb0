"""Changes that wait for approval: what would be written, over which bytes, and by which tool."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.model.match import Match
from inlay.model.receipt import Kind


@dataclass(frozen=True, slots=True)
class PendingChange:
    """One file of a plan, bound to its bytes before and after."""

    path: str
    target: str  #: where the content is afterwards
    before: str  #: SHA-256 of the old bytes, hex; empty for a new file
    after: str | None  #: the new text; None for a deletion
    digest: str  #: SHA-256 of the bytes to write, hex; empty for a deletion
    matches: tuple[Match, ...] = ()
    executable: bool | None = None  #: whether the file may be run afterwards; None to leave that as it is
    woven: bool = False  #: whether it was a whole file, merged with the one that exists


@dataclass(frozen=True, slots=True)
class Pending:
    """A plan: everything that one call would write."""

    id: str  #: the same for the same changes, so that two calls make one plan
    time: str  #: UTC, ISO 8601
    tool: str  #: the tool that was called
    kind: Kind
    format: str
    reasons: tuple[str, ...]  #: why approval is required, one line per file
    changes: tuple[PendingChange, ...]
