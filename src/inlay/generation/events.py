"""What happens while a change is generated, step by step, for whoever watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inlay.model.answer import Usage
from inlay.model.task import Attempt, Mode

if TYPE_CHECKING:
    from inlay.generation.proposal import Proposal
    from inlay.landing.land import Landing


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    """A model is asked."""

    files: tuple[str, ...]
    number: int  #: 1-based
    most: int  #: how many there may be
    mode: Mode
    format: str


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of the answer came in."""

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
    """An attempt came to nothing; `line` is what the log says about it."""

    files: tuple[str, ...]
    attempt: Attempt
    line: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """The model will be asked again, after a pause where the provider needs one."""

    files: tuple[str, ...]
    number: int  #: of the attempt to come
    pause: float  #: seconds
    held: int  #: edits that fit and wait for the others


@dataclass(frozen=True, slots=True)
class Validating:
    """The person's command looks at the result."""

    command: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """There is a change that could land; nothing is written yet."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Landed:
    """The change was decided about, and written unless this was a rehearsal."""

    landing: Landing


Event: TypeAlias = AttemptStarted | TextArrived | Answered | AttemptFailed | Retrying | Validating | Proposed | Landed
OnEvent: TypeAlias = Callable[[Event], None]


def unheard(event: Event) -> None:
    """For those who do not watch."""
