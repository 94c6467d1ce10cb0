"""A change that a model is to make, and its attempts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from inlay.model.allowance import Allowance
from inlay.model.answer import Limits, Usage
from inlay.model.settings import Settings

Mode: TypeAlias = Literal["whole", "edits"]


@dataclass(frozen=True, slots=True)
class Task:
    """An instruction, and the only files that may change for it."""

    files: tuple[str, ...]  #: as the user named them, relative to the root; those that do not exist are created
    instruction: str
    context: tuple[str, ...] = ()  #: files to show that must not change
    notes: str = ""  #: for example a section of a design document, the output of failing tests
    label: str = ""  #: stable from run to run; recordings are searched by it


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How a model is asked and its answer evaluated."""

    limits: Limits = field(default_factory=Limits)
    format: str | None = None  #: an edit format; None for the one the model writes best
    mode: Mode | None = None  #: whole files or edits; None to choose by size; a new file is always written whole
    edit_lines: int = 500  #: a file with more lines is changed by edits
    edit_bytes: int = 15_000  #: and one with more bytes
    check: str | None = None  #: a command that must succeed on a scratch copy of the result
    check_timeout: float = 600.0  #: seconds
    timeout: float = 600.0  #: seconds of silence after which one call fails
    concurrency: int = 4  #: requests in flight at once
    allow: frozenset[Allowance] = frozenset()  #: what is content, although it looks like markup of a reply

    @classmethod
    def of(cls, settings: Settings) -> GenerateOptions:
        """As configured."""
        defaults = cls()
        lines, size = settings.integer("edit_lines"), settings.integer("edit_bytes")
        limits = Limits(
            settings.integer("max_attempts") or defaults.limits.attempts,
            settings.integer("max_tokens"),
            settings.number("max_cost"),
            settings.number("max_seconds"),
        )
        return cls(
            limits,
            settings.text("format"),
            edit_lines=defaults.edit_lines if lines is None else lines,
            edit_bytes=defaults.edit_bytes if size is None else size,
            check=settings.text("check"),
            timeout=settings.number("timeout") or defaults.timeout,
            concurrency=settings.integer("concurrency") or defaults.concurrency,
        )


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the model and the error in its answer."""

    number: int  #: 1-based
    mode: Mode
    error: str  #: the kind, for counting: "not-found", "syntax", "truncated", "rate-limit", …; "" on success
    message: str = ""  #: one line for a person
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
