"""Everything that asking a model about commits needs, set up once: its cache, its budget, its limits, its accounts."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeVar

from inlay.commits.ask import Asker, Question
from inlay.commits.chunk_plan import PlanOptions
from inlay.commits.commit_events import ModelUse
from inlay.commits.diff.ignore import IgnorePatterns
from inlay.commits.truncate import Truncator
from inlay.git.repository import Repository
from inlay.llm import context_budget
from inlay.llm.cache import key_of, remember
from inlay.llm.call import Sleep
from inlay.llm.context_budget import Calibration
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.llm.tokens import counter, measure
from inlay.model.answer import ModelInfo, Usage
from inlay.model.prompt import Request
from inlay.model.settings import Settings
from inlay.model.statistics import Metric
from inlay.model.task import GenerateOptions
from inlay.prompts.blocks import Blocks
from inlay.storage.stores import metrics
from inlay.storage.stores.commit_state import RepositoryState

T = TypeVar("T")
_TOLERATED = 1.02  # times our count
_STEP = 0.05


@dataclass(slots=True)
class CommitSession:
    """One model that is asked about commits of one repository, within one set of limits."""

    repo: Repository
    model: Model
    plan: PlanOptions
    spending: Spending
    blocks: Blocks
    state: RepositoryState
    concurrency: int  #: requests in flight at most
    timeout: float  #: seconds without an answer after which a call is given up
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Sleep = asyncio.sleep
    _calibration: Calibration = field(default_factory=Calibration)
    _askers: list[Asker[object]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _gate: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._gate = asyncio.Semaphore(self.concurrency)

    @property
    def truncator(self) -> Truncator:
        return Truncator(self.plan.measure)

    @property
    def spent(self) -> ModelUse:
        return ModelUse(sum(asker.requests for asker in self._askers), self.spending.usage, self.spending.cost)

    def asker(self, question: Question[T]) -> Asker[T]:
        asker = Asker(
            self.model,
            question,
            self.spending,
            self.plan.capacity,
            self.truncator,
            self.concurrency,
            self.timeout,
            self._gate,
            self.backoff,
            self.sleep,
            on_usage=self._learn,
            forget=self._forget,
        )
        self._askers.append(asker)  # type: ignore[arg-type]  # only counted here
        return asker

    def _learn(self, text: str, usage: Usage) -> None:
        self._calibration = self._calibration.observed(counter(self.model.info)(text), usage)

    def _forget(self, request: Request) -> None:
        self.state.answers.drop(key_of(self.model.info.name, request))

    def close(self, job: str, outcome: Literal["done", "failed"]) -> None:
        """Store what was learnt about the model, and what asking it took."""
        name, spent = self.model.info.name, self.spent
        if self._calibration.seen:
            self.state.keep_factors(self.state.factors() | {name: (self._calibration.factor, self._calibration.seen)})
        if self.repo.top is None or not spent.requests:
            return
        metric = Metric(
            datetime.now(UTC).isoformat(timespec="seconds"),
            job,
            name,
            "",
            outcome,
            spent.requests,
            tuple(error for asker in self._askers for error in asker.errors),
            spent.usage.input,
            spent.usage.output,
            spent.cost,
            round(time.monotonic() - self._began, 3),
        )
        metrics.record(self.repo.top, metric)


def room(info: ModelInfo, factor: float) -> int:
    """Tokens of diff that fit a request to the model, whose provider counts `factor` times as many as we do."""
    # Only down, and in steps: any other budget cuts a diff at other places, and then no cached answer fits any more.
    steady = 1.0 if factor <= _TOLERATED else math.ceil(factor / _STEP) * _STEP
    return context_budget.room(info, calibration=Calibration(steady))


def open_session(repo: Repository, model: Model, settings: Settings) -> CommitSession:
    """A session as configured; answers of earlier runs are taken from the cache."""
    options = GenerateOptions.of(settings)
    state = RepositoryState(repo.common_dir)
    factor, seen = state.factors().get(model.info.name, (1.0, 0))
    blocks = Blocks(state.key())
    patterns = IgnorePatterns(settings.texts("commits.ignore"))
    return CommitSession(
        repo,
        # A recording is its own cache, and may be made again under the same name.
        model if model.info.name.startswith("recorded:") else remember(model, state.answers),
        PlanOptions(room(model.info, factor), measure(model.info), patterns, model.info),
        Spending(options.limits),
        blocks,
        state,
        options.concurrency,
        options.timeout,
        _calibration=Calibration(factor, seen),
    )
