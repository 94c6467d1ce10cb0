"""What happens while a change is generated, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inlay.model.answer import Usage
from inlay.model.task import Attempt, Mode

if TYPE_CHECKING:
    from inlay.generation.propose import Proposal
    from inlay.landing.land import Landing


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    files: tuple[str, ...]
    number: int  #: 1-based
    most: int  #: the limit
    mode: Mode
    format: str


@dataclass(frozen=True, slots=True)
class TextArrived:
    files: tuple[str, ...]
    number: int  #: of the attempt
    piece: str
    tokens: int  #: of the answer so far, estimated


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is complete, or as complete as it will be."""

    files: tuple[str, ...]
    number: int
    usage: Usage
    cost: float | None
    seconds: float
    remembered: bool


@dataclass(frozen=True, slots=True)
class AttemptFailed:
    """An attempt failed; `line` is what the log says about it."""

    files: tuple[str, ...]
    attempt: Attempt
    line: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """The model will be asked again, after a pause where the provider needs one."""

    files: tuple[str, ...]
    number: int  #: of the next attempt
    pause: float  #: seconds
    held: int  #: edits accepted so far


@dataclass(frozen=True, slots=True)
class Validating:
    """The user's check command runs on the result."""

    command: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """There is a change that could be applied; nothing is written yet."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Landed:
    """The change was approved, and written unless this was a dry run."""

    landing: Landing


Event: TypeAlias = AttemptStarted | TextArrived | Answered | AttemptFailed | Retrying | Validating | Proposed | Landed
OnEvent: TypeAlias = Callable[[Event], None]
