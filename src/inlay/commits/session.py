"""Everything that asking a model about commits takes, set up once: its memory, its budget, its limits, its manner."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, TypeVar

from inlay.commits import check_rules
from inlay.commits.ask import Asker, Question
from inlay.commits.chunk_plan import CommitPlan, PlanOptions, plan_diff, plan_steps
from inlay.commits.diff.ignore import Ignoring
from inlay.commits.messages import Ruleset
from inlay.commits.requests import Case
from inlay.commits.review import Judging, judge
from inlay.commits.reword import Reworded, Writing, reword
from inlay.commits.style_guide import manner_of
from inlay.commits.truncate import Truncator
from inlay.git import repository, staged
from inlay.git.history import CommitPair
from inlay.llm import context_budget
from inlay.llm.cache import key_of, remember
from inlay.llm.call import Sleep
from inlay.llm.context_budget import Calibration
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.llm.tokens import counter, measure
from inlay.model.answer import ModelInfo, Usage
from inlay.model.commit import Commit, Person, Verdict, joined
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
_STAGED = Commit("staged", "", (), Person("", ""), Person("", ""), "")


@dataclass(slots=True)
class Desk:
    """Where commits of one repository are brought before one model, within one set of limits."""

    root: str
    model: Model
    plan: PlanOptions
    spending: Spending
    blocks: Blocks
    state: RepositoryState
    concurrency: int  #: requests in flight at most
    timeout: float  #: seconds without an answer after which a call is given up
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Sleep | None = None
    _calibration: Calibration = field(default_factory=Calibration)
    _askers: list[Asker[object]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _gate: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._gate = asyncio.Semaphore(self.concurrency)

    @property
    def fitting(self) -> Truncator:
        return Truncator(self.plan.measure)

    @property
    def requests(self) -> int:
        return sum(asker.requests for asker in self._askers)

    def asker(self, question: Question[T]) -> Asker[T]:
        """One who asks this question at this desk."""
        made = Asker(
            self.model,
            question,
            self.spending,
            self.plan.capacity,
            self.fitting,
            self.concurrency,
            self.timeout,
            self._gate,
            self.backoff,
            on_usage=self._learn,
            forget=self._forget,
        )
        if self.sleep is not None:
            made.sleep = self.sleep
        self._askers.append(made)  # type: ignore[arg-type]  # only counted here
        return made

    def _learn(self, text: str, usage: Usage) -> None:
        self._calibration = self._calibration.observed(counter(self.model.info)(text), usage)

    def _forget(self, request: Request) -> None:
        self.state.answers.drop(key_of(self.model.info.name, request))

    def cases(self, commits: Sequence[Commit]) -> Iterator[Case]:
        """The commits with what would be asked about each, one diff in memory at a time."""
        steps = [_step(commit) for commit in commits]
        for commit, planned in zip(commits, plan_steps(self.root, steps, self.plan), strict=True):
            yield Case(commit, planned, self._replanned(commit), self.fitting)

    def _replanned(self, commit: Commit) -> Callable[[int], CommitPlan]:
        def again(capacity: int) -> CommitPlan:
            return next(plan_steps(self.root, [_step(commit)], replace(self.plan, capacity=capacity)))

        return again

    def close(self, job: str, outcome: Literal["done", "failed"]) -> None:
        """Keep what was learnt and what it took."""
        if self._calibration.seen:
            known = self.state.factors() | {self.model.info.name: (self._calibration.factor, self._calibration.seen)}
            self.state.keep_factors(known)
        top = repository.top(self.root)
        if top is not None and self.requests:
            metrics.record(top, self._metric(job, outcome))

    def _metric(self, job: str, outcome: Literal["done", "failed"]) -> Metric:
        errors = tuple(error for asker in self._askers for error in asker.errors)
        usage = self.spending.usage
        return Metric(
            datetime.now(UTC).isoformat(timespec="seconds"),
            job,
            self.model.info.name,
            "",
            outcome,
            self.requests,
            errors,
            usage.input,
            usage.output,
            self.spending.cost,
            round(time.monotonic() - self._began, 3),
        )


def _believed(factor: float) -> float:
    """What was learnt, as far as it changes the budget: only down, and in steps.

    Every other budget cuts a diff at other places, and then the answers that were paid for fit nothing any more.
    """
    return 1.0 if factor <= _TOLERATED else math.ceil(factor / _STEP) * _STEP


def _step(commit: Commit) -> CommitPair:
    return CommitPair(commit.id, commit.parents[0] if commit.parents else None)


def room(root: str, info: ModelInfo) -> int:
    """Tokens of diff that fit a request to the model, by all that was learnt about it in this repository."""
    factor, _ = RepositoryState(repository.common(root)).factors().get(info.name, (1.0, 0))
    return context_budget.room(info, calibration=Calibration(_believed(factor)))


def desk(root: str, model: Model, settings: Settings) -> Desk:
    """A desk as configured; answers that were paid for in earlier runs are on it already."""
    options = GenerateOptions.of(settings)
    state = RepositoryState(repository.common(root))
    factor, seen = state.factors().get(model.info.name, (1.0, 0))
    ignoring = Ignoring(settings.texts("commits.ignore"))
    return Desk(
        root,
        # A recording is its own memory, and may be made anew under the same name.
        model if model.info.name.startswith("recorded:") else remember(model, state.answers),
        PlanOptions(room(root, model.info), measure(model.info), ignoring, model.info),
        Spending(options.limits),
        Blocks(state.key()),
        state,
        options.concurrency,
        options.timeout,
        _calibration=Calibration(factor, seen),
    )


async def check_with_model(at: Desk, commits: Sequence[Commit], rules: Ruleset) -> AsyncIterator[Verdict]:
    """A verdict on every commit, in order, by the rules and by the model; those that are exempt are not asked about."""
    by_rules = list(check_rules.check_commits(commits, rules))
    asked = [commit for commit, verdict in zip(commits, by_rules, strict=True) if not verdict.exempt]
    writing = Writing(at.blocks, manner_of(at.root, asked, rules, at.fitting), rules)
    judged = judge(at.cases(asked), at.asker(Judging(at.blocks)), at.asker(writing))
    for verdict in by_rules:
        yield verdict if verdict.exempt else joined(verdict, await anext(judged))


async def propose_messages(at: Desk, commits: Sequence[Commit], rules: Ruleset) -> AsyncIterator[Reworded]:
    """A message for every commit, in order, or why there is none."""
    writing = Writing(at.blocks, manner_of(at.root, commits, rules, at.fitting), rules)
    async for reworded in reword(at.cases(commits), at.asker(writing)):
        yield reworded


async def draft_message(at: Desk, rules: Ruleset) -> Reworded | None:
    """A message for what is staged; None where nothing is."""
    data = staged.diff(at.root)
    if not data:
        return None

    def planned(capacity: int) -> CommitPlan:
        return plan_diff(_STAGED.id, data, replace(at.plan, capacity=capacity))

    commit = replace(_STAGED, author=repository.author(at.root) or _STAGED.author)
    case = Case(commit, planned(at.plan.capacity), planned, at.fitting)
    writing = Writing(at.blocks, manner_of(at.root, [], rules, at.fitting), rules)
    found = [each async for each in reword([case], at.asker(writing))]
    return found[0]
