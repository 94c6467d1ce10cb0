"""Maps commits to answers, in their order: several requests at once, and never more diffs in memory than those need."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from inlay.commits.ask import Asker, Left, TooLong
from inlay.commits.requests import Case, Portion, grouped
from inlay.llm import context_budget

T = TypeVar("T")
_AHEAD = 2  # groups for each request in flight that are read before the first is answered
_SMALLER = 0.6  # of the budget, after the provider found a request too long


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """Everything that was said about one commit, part by part."""

    case: Case  #: as it was asked about, which may be in smaller parts than planned
    parts: tuple[tuple[Portion, T | Left], ...]

    @property
    def answers(self) -> tuple[T, ...]:
        return tuple(said for _, said in self.parts if not isinstance(said, Left))

    @property
    def left(self) -> tuple[str, ...]:
        """Why parts have no answer, each reason once."""
        return tuple(dict.fromkeys(said.why for _, said in self.parts if isinstance(said, Left)))


async def tell(cases: Iterable[Case], asker: Asker[T]) -> AsyncIterator[Told[T]]:
    """What the model says about each commit, in order."""
    groups = grouped(cases, asker.capacity)
    waiting: deque[asyncio.Task[list[Told[T]]]] = deque()
    try:
        while True:
            while len(waiting) < asker.concurrency * _AHEAD and (group := await asyncio.to_thread(_next, groups)):
                waiting.append(asyncio.create_task(_group(group, asker)))
            if not waiting:
                return
            for told in await waiting.popleft():
                yield told
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def _next(groups: Iterator[tuple[Case, ...]]) -> tuple[Case, ...] | None:
    return next(groups, None)


async def _group(group: tuple[Case, ...], asker: Asker[T]) -> list[Told[T]]:
    if len(group) == 1:
        return [await _one(group[0], asker)]
    portions = [case.portions[0] for case in group]
    try:
        said = await asker.about(portions)
    except TooLong:
        # One of them is longer than we thought; apart, each finds its own size.
        return [await _one(case, asker) for case in group]
    return [Told(portion.case, ((portion, each),)) for portion, each in zip(portions, said, strict=True)]


async def _one(case: Case, asker: Asker[T]) -> Told[T]:
    """All parts of one commit; where one is too long for the model, the commit is cut into smaller ones."""
    capacity = asker.capacity
    while True:
        portions = case.portions
        said = await asyncio.gather(*(asker.about([portion]) for portion in portions), return_exceptions=True)
        failed = [each for each in said if isinstance(each, BaseException)]
        if not failed:
            return Told(case, tuple(zip(portions, (each[0] for each in said if isinstance(each, list)), strict=True)))
        if others := [each for each in failed if not isinstance(each, TooLong)]:
            raise others[0]
        capacity = int(min(capacity, max(portion.tokens for portion in portions)) * _SMALLER)
        if capacity < context_budget.LEAST:
            return Told(case, tuple((portion, Left(str(failed[0]))) for portion in portions))
        case = replace(case, plan=case.replan(capacity))
