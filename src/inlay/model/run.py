"""A run of the design-document workflow: what was asked for, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

#: "running": a process drives it; "waiting": a person must decide; "interrupted": nobody drives it, it can go on;
#: "green": every test passes; "stopped": it ended without, for the reason that it says.
RunStatus: TypeAlias = Literal["running", "waiting", "interrupted", "green", "stopped"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run was asked for; what is resumed goes on in the same way."""

    model: str | None = None  #: as given; None for the configured one
    auto: bool = False  #: ask nobody: stop where a person must decide
    force: bool = False
    yes: bool = False
    worktree: bool = False
    max_iterations: int = 5  #: how often failing tests are given back to the model
    max_cost: float | None = None  #: US dollars
    max_tokens: int | None = None
    threshold: int | None = None  #: lines; replacing a longer file needs approval; None for the configured number


@dataclass(frozen=True, slots=True)
class Run:
    """One document being turned into code."""

    id: str  #: a number that grows
    document: str  #: relative to the project's root
    spec: str  #: digest of the document's text as it was when the run began
    started: str  #: ISO 8601, UTC
    options: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run has come, for a listing; the checkpoints know more."""

    status: RunStatus = "running"
    step: str = ""
    reason: str = ""  #: why it stopped or waits
    tokens: int = 0
    cost: int | float | None = None  # 0 stays 0 when it is read back
    iteration: int = 0
    files: tuple[str, ...] = ()  #: files that wait for a decision
    at: str = ""  #: ISO 8601, UTC
