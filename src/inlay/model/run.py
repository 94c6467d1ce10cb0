"""A run of the design-document workflow: what was asked for, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

#: "running": a process drives it; "waiting": approval is required; "interrupted": no process drives it, resume it;
#: "green": every test passes; "stopped": it ended without that, for the given reason.
RunStatus: TypeAlias = Literal["running", "waiting", "interrupted", "green", "stopped"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run; a resumed run keeps them."""

    model: str | None = None  #: as given; None for the configured one
    auto: bool = False  #: ask no questions: stop where approval is required
    force: bool = False
    yes: bool = False
    worktree: bool = False
    max_iterations: int = 5  #: how often failing tests are sent back to the model
    max_cost: float | None = None  #: US dollars
    max_tokens: int | None = None
    threshold: int | None = None  #: lines; replacing a longer file needs approval; None for the configured number


@dataclass(frozen=True, slots=True)
class Run:
    """One design document that is being implemented."""

    id: str  #: a number that grows
    document: str  #: relative to the project's root
    spec: str  #: digest of the document's text as it was when the run began
    started: str  #: ISO 8601, UTC
    options: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run has come, for a listing; the checkpoints have more."""

    status: RunStatus = "running"
    step: str = ""
    reason: str = ""  #: why it stopped or waits
    tokens: int = 0
    cost: int | float | None = None  # 0 stays 0 when it is read back
    iteration: int = 0
    files: tuple[str, ...] = ()  #: files that wait for approval
    at: str = ""  #: ISO 8601, UTC
