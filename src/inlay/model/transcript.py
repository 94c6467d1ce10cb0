"""A recording of a model's answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from inlay.errors import FailureKind
from inlay.model.answer import Stop, Usage


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure that was recorded, or written by hand."""

    kind: FailureKind
    message: str
    status: int | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer, or one failure, of a recording."""

    label: str = ""  #: of the request it answers; an entry without one answers any
    digest: str = ""  #: of the prompt, for comparison; ignored when replaying
    text: str = ""
    stop: Stop = "end"
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    delay: float = 0.0  #: seconds over which the text is spread when it is replayed
    error: Failed | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole recording."""

    model: str = ""  #: the recorded model, whose limits and prices apply to the replay
    entries: tuple[TranscriptEntry, ...] = ()
