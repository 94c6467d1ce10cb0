"""What is remembered of a job that asked a model: numbers and names of kinds, never content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Metric:
    """One job: a file that was generated, a chunk that was judged."""

    at: str  #: ISO 8601, UTC
    job: str  #: "edit", "implement", "commits-check", "commits-amend"
    model: str
    format: str  #: the edit format, or "" where there is none
    outcome: Literal["done", "failed"]
    attempts: int
    errors: tuple[str, ...]  #: the kind of failure of each attempt that failed, in order: "not-found", "truncated", …
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float
    whole_tokens: int | None = None  #: what writing the files whole would have taken in output, estimated
