"""An answer of a model, its usage and its cost, and a recording of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from inlay.errors import FailureKind

Stop: TypeAlias = Literal["end", "truncated", "refused"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them."""

    input: int = 0  #: all tokens of the prompt, those from a cache included
    output: int = 0
    cache_read: int = 0  #: the part of `input` read from the provider's cache
    cache_write: int = 0  #: the part of `input` written to it

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def total(self) -> int:
        """Counts against the limit on tokens."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a model; the text is complete only where `stop` is "end"."""

    text: str
    stop: Stop
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None  #: US dollars; None where the price is not known
    model: str = ""  #: as the provider calls it
    seconds: float = 0.0
    remembered: bool = False  #: whether it came from the cache


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known about a model, from the registry, the user's own table, or as safe guesses."""

    name: str  #: as given: "anthropic:claude-sonnet-4-5", "openai:gpt-5", "local:qwen2.5-coder-1.5b", …
    context: int  #: tokens, prompt and answer together
    max_output: int  #: tokens
    input_price: float | None = None  #: US dollars for a million tokens; None where not known
    output_price: float | None = None
    cache_read_price: float | None = None
    cache_write_price: float | None = None
    format: str = "find_replace"  #: the edit format this model writes best
    good_at_json: bool = False
    tokenizer: Literal["claude", "o200k", "estimate"] = "estimate"
    known: bool = True  #: False where the values are guesses

    def price(self, usage: Usage) -> float | None:
        """What an answer cost; None where a price is missing."""
        if self.input_price is None or self.output_price is None:
            return None
        read = self.input_price if self.cache_read_price is None else self.cache_read_price
        write = self.input_price if self.cache_write_price is None else self.cache_write_price
        fresh = usage.input - usage.cache_read - usage.cache_write
        paid = fresh * self.input_price + usage.output * self.output_price
        return (paid + usage.cache_read * read + usage.cache_write * write) / 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one job may use in all; None is no limit."""

    attempts: int = 3
    tokens: int | None = None
    cost: float | None = None  #: US dollars
    seconds: float | None = None


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
