"""A change that a model is to make, and what became of each attempt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from inlay.model.answer import Limits, Usage
from inlay.model.settings import Settings

Mode: TypeAlias = Literal["whole", "edits"]


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted, and the only files that may change for it."""

    files: tuple[str, ...]  #: as the person named them, relative to the root; those that do not exist are to be made
    instruction: str
    context: tuple[str, ...] = ()  #: files to show and never to change
    notes: str = ""  #: more to know: a section of a design document, the output of failing tests
    label: str = ""  #: stable from run to run; requests carry it, so that transcripts and stored answers are found


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How a model is asked and its answer judged."""

    limits: Limits = field(default_factory=Limits)
    format: str | None = None  #: an edit format; None for the one the model writes best
    mode: Mode | None = None  #: whole files or edits, where the person has decided; a new file is always written whole
    edit_lines: int = 500  #: a file with more lines is changed by edits
    edit_bytes: int = 15_000  #: and one with more bytes
    check: str | None = None  #: a command that must succeed on a scratch copy of the result
    check_timeout: float = 600.0  #: seconds
    timeout: float = 600.0  #: seconds without an answer after which one call is given up
    concurrency: int = 4  #: requests in flight at once

    @classmethod
    def of(cls, settings: Settings) -> GenerateOptions:
        """As configured."""
        defaults = cls()
        limits = Limits(
            settings.integer("max_attempts") or defaults.limits.attempts,
            settings.integer("max_tokens"),
            settings.number("max_cost"),
            settings.number("max_seconds"),
        )
        return cls(
            limits,
            settings.text("format"),
            edit_lines=_known(settings.integer("edit_lines"), defaults.edit_lines),
            edit_bytes=_known(settings.integer("edit_bytes"), defaults.edit_bytes),
            check=settings.text("check"),
            timeout=settings.number("timeout") or defaults.timeout,
            concurrency=settings.integer("concurrency") or defaults.concurrency,
        )


def _known(value: int | None, default: int) -> int:
    return default if value is None else value


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the model and what was wrong with its answer."""

    number: int  #: 1-based
    mode: Mode
    error: str  #: the kind, for counting: "not-found", "syntax", "truncated", "rate-limit", …; "" where all was well
    message: str = ""  #: one line for a person
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
