"""One entry of the audit log: what happened to which file and who decided; never its contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

EventName: TypeAlias = Literal["proposal", "blocked", "decision", "write", "undo", "redo", "recovery", "gc", "restart"]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One event; text is shortened and secrets are redacted when it is recorded."""

    event: EventName
    path: str = ""  #: as requested; a refused name need not be a path of the project
    before: str = ""  #: SHA-256 of the file's bytes when it was read; empty for a new file
    after: str = ""  #: SHA-256 of the bytes proposed or written; empty for a deletion
    decision: str = ""  #: "replace", "append", "skip", "abort", …
    by: str = ""  #: "person", "force", "policy", …
    receipt: str = ""
    detail: str = ""
    state: str = ""  #: of a write: "intent" before, "done" after, "rolled back"


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An event in the log, with its place in the chain."""

    number: int
    time: str  #: UTC, ISO 8601
    event: AuditEvent
    digest: str  #: of this record and, through its predecessor's, of all before it
