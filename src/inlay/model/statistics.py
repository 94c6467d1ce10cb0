"""Metrics of jobs that asked a model, and their sums: repaired attempts, cost, tokens saved. Never content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

_SECONDS = len("2026-01-31T12:00:00")  # what follows is a fraction or a zone, and the zone is UTC


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


@dataclass(frozen=True, slots=True)
class Mending:
    """How the jobs ended whose first attempt failed in one way."""

    error: str  #: the kind of the first attempt's failure
    jobs: int
    by_attempt: tuple[tuple[int, int], ...]  #: attempt → jobs that it repaired

    @property
    def mended(self) -> int:
        return sum(jobs for _, jobs in self.by_attempt)

    @property
    def rate(self) -> float:
        return self.mended / self.jobs


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over jobs of one model and format, or of all."""

    model: str
    format: str
    jobs: int
    done: int
    attempts: int
    input_tokens: int
    output_tokens: int
    cost: float  #: US dollars, as far as prices are known
    unpriced: int  #: jobs whose price is not known
    seconds: float
    compared_tokens: int  #: output of the jobs that can be compared with writing the files whole
    whole_tokens: int  #: what writing them whole would have taken

    @property
    def saved_tokens(self) -> int:
        return self.whole_tokens - self.compared_tokens

    @property
    def saved(self) -> float | None:
        """The part of the output that was saved; None where nothing can be compared."""
        return self.saved_tokens / self.whole_tokens if self.whole_tokens else None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that `inlay stats` shows."""

    all: Totals
    groups: tuple[Totals, ...]  #: by model and format
    mendings: tuple[Mending, ...]  #: by the kind of the first failure, the most frequent first
    kinds: tuple[tuple[str, int], ...]  #: kind of job → jobs, the most frequent first

    @property
    def retried(self) -> int:
        """Jobs whose first attempt failed."""
        return sum(mending.jobs for mending in self.mendings)

    @property
    def mended(self) -> int:
        """Those of them that a further attempt repaired."""
        return sum(mending.mended for mending in self.mendings)

    @property
    def retry_success(self) -> float | None:
        """How often a further attempt repaired the first; None where none was needed."""
        return self.mended / self.retried if self.retried else None


def summarise(metrics: Iterable[Metric], since: str = "") -> Statistics:
    """The statistics of all jobs from `since` on, an ISO date or time in UTC."""
    jobs = [metric for metric in metrics if metric.at[:_SECONDS] >= since[:_SECONDS]]
    pairs = sorted({(metric.model, metric.format) for metric in jobs})
    groups = tuple(_totals(*pair, [job for job in jobs if (job.model, job.format) == pair]) for pair in pairs)
    mendings = []
    for kind in {job.errors[0] for job in jobs if job.errors}:
        failed = [job for job in jobs if job.errors[:1] == (kind,)]
        by_attempt = Counter(job.attempts for job in failed if job.outcome == "done")
        mendings.append(Mending(kind, len(failed), tuple(sorted(by_attempt.items()))))
    mendings.sort(key=lambda mending: (-mending.jobs, mending.error))
    by_job = Counter(metric.job for metric in jobs).most_common()
    return Statistics(_totals("", "", jobs), groups, tuple(mendings), tuple(by_job))


def _totals(model: str, form: str, jobs: Sequence[Metric]) -> Totals:
    compared = [job for job in jobs if job.whole_tokens is not None and job.outcome == "done"]
    return Totals(
        model=model,
        format=form,
        jobs=len(jobs),
        done=sum(job.outcome == "done" for job in jobs),
        attempts=sum(job.attempts for job in jobs),
        input_tokens=sum(job.input_tokens for job in jobs),
        output_tokens=sum(job.output_tokens for job in jobs),
        cost=sum(job.cost or 0.0 for job in jobs),
        unpriced=sum(job.cost is None for job in jobs),
        seconds=sum(job.seconds for job in jobs),
        compared_tokens=sum(job.output_tokens for job in compared),
        whole_tokens=sum(job.whole_tokens or 0 for job in compared),
    )
