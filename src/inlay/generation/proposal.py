"""A change that a model has made and that fits; it is not written yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from inlay.model.answer import Usage
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.finding import Finding
from inlay.model.task import Attempt, Mode, Task


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would change, and what it took to get there."""

    task: Task
    changes: ChangeSet
    reading: Reading
    findings: tuple[Finding, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None  #: US dollars; None where a price is not known
    seconds: float = 0.0
    mode: Mode = "whole"  #: "edits" where any file was asked for by edits
    format: str = ""  #: of the edits, or that of whole files
    model: str = ""
    whole_tokens: int | None = None  #: what writing the files whole would have taken, estimated
