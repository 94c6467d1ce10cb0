"""Requests about commits: what one holds, which commits share one, and the answers in the commits' order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from inlay.commits.ask import Asker, NoAnswer, TooLong
from inlay.commits.chunk_plan import CommitPlan, ends_batch
from inlay.commits.diff.git_diff import Chunk
from inlay.commits.truncate import Truncator
from inlay.llm import context_budget
from inlay.model.commit import Commit
from inlay.prompts.commit_parts import ShownPart

T = TypeVar("T")
_SHORT = 12  # characters of an id: enough to tell commits of one request apart, and cheap to repeat
_LIST = context_budget.SUMMARY // 2  # tokens: half of it for the names of all files, half for what is not shown
_AHEAD = 2  # groups for each request in flight that are read before the first is answered
_SMALLER = 0.6  # of the budget, after the provider found a request too long


@dataclass(frozen=True, slots=True)
class PlannedCommit:
    """One commit that a model is to be asked about, and how its diff is split."""

    commit: Commit
    plan: CommitPlan
    replan: Callable[[int], CommitPlan]  #: the same commit within a smaller budget, in tokens
    truncator: Truncator
    files: tuple[str, ...] = field(init=False)
    message: str = field(init=False)  #: as much of it as a request has room for
    unseen: tuple[str, ...] = field(init=False)  #: what no model is shown, and why; nothing is dropped without a name

    def __post_init__(self) -> None:
        files = tuple(dict.fromkeys(path for chunk in self.plan.chunks for path in chunk.paths))
        message = self.truncator.text(self.commit.message, context_budget.MESSAGE)
        object.__setattr__(self, "files", files)
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "unseen", tuple(_unseen(self.plan, self.commit.message, message)))

    @property
    def id(self) -> str:
        return self.commit.id[:_SHORT]

    @property
    def parts(self) -> tuple[CommitPart, ...]:
        """One for each chunk; a commit without changes has one too."""
        return tuple(CommitPart(self, number) for number in range(max(1, len(self.plan.chunks))))


def _unseen(plan: CommitPlan, message: str, shown: str) -> Iterator[str]:
    if shown != message:
        yield f"the message is too long; only its beginning is shown ({len(message):,} characters)"
    for piece in plan.placeholders:
        assert piece.placeholder is not None
        why = "a binary file" if piece.placeholder.reason == "binary" else "a line longer than a request"
        yield f"{piece.path}: {why} ({piece.placeholder.bytes:,} bytes)"
    for file in plan.left_out:
        yield f"{file.path}: left out by {file.pattern} ({file.bytes:,} bytes)"


@dataclass(frozen=True, slots=True)
class CommitPart:
    planned: PlannedCommit
    number: int  #: 0-based

    @property
    def chunk(self) -> Chunk:
        """An empty one for a commit without changes."""
        chunks = self.planned.plan.chunks
        return chunks[self.number] if chunks else Chunk(0, ())

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its commit."""
        return len(self.planned.plan.chunks) <= 1

    def shown(self, sharing: int = 1) -> ShownPart:
        """The part as it is laid out in a prompt that so many commits share."""
        planned = self.planned
        # A placeholder is short, unless the path alone is longer than a request.
        diff = "".join(piece.text for piece in self.chunk.pieces
                       if piece.placeholder is None or piece.tokens < context_budget.LEAST)  # fmt: skip
        files = () if self.is_whole else planned.truncator.names(planned.files, _LIST)
        unseen = planned.truncator.names(planned.unseen, _LIST // sharing)
        return ShownPart(planned.id, planned.message, diff, self.number + 1, len(planned.parts), files, unseen)


def group(commits: Iterable[PlannedCommit], capacity: int) -> Iterator[tuple[PlannedCommit, ...]]:
    """Commits that share a request: small ones one after the other, as many as fit; one of several chunks alone."""
    batch: list[PlannedCommit] = []
    used = 0
    for planned in commits:
        if ends_batch(planned.plan, len(batch), used, capacity):
            yield tuple(batch)
            batch, used = [], 0
        if len(planned.plan.chunks) > 1:
            yield (planned,)
        else:
            batch.append(planned)
            used += planned.plan.tokens + context_budget.COMMIT
    if batch:
        yield tuple(batch)


@dataclass(frozen=True, slots=True)
class CommitAnswers(Generic[T]):
    planned: PlannedCommit  #: as it was asked about, which may be in smaller parts than planned
    parts: tuple[tuple[CommitPart, T | NoAnswer], ...]

    @property
    def answers(self) -> tuple[T, ...]:
        return tuple(answer for _, answer in self.parts if not isinstance(answer, NoAnswer))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why parts have no answer, each reason once."""
        return tuple(dict.fromkeys(answer.why for _, answer in self.parts if isinstance(answer, NoAnswer)))


async def answers(groups: Iterator[tuple[PlannedCommit, ...]], asker: Asker[T]) -> AsyncIterator[CommitAnswers[T]]:
    """The answers about each commit, in order; several requests at once, and only the diffs of those in memory."""
    waiting: deque[asyncio.Task[list[CommitAnswers[T]]]] = deque()
    most = asker.concurrency * _AHEAD
    try:
        while True:
            while len(waiting) < most and (commits := await asyncio.to_thread(next, groups, None)):
                waiting.append(asyncio.create_task(_about_group(commits, asker)))
            if not waiting:
                return
            for answered in await waiting.popleft():
                yield answered
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _about_group(commits: tuple[PlannedCommit, ...], asker: Asker[T]) -> list[CommitAnswers[T]]:
    if len(commits) > 1:
        parts = [planned.parts[0] for planned in commits]
        try:
            results = await asker.about(parts)
            return [CommitAnswers(part.planned, ((part, answer),)) for part, answer in zip(parts, results, strict=True)]
        except TooLong:
            pass  # One of them is longer than we thought; alone, each finds its own size.
    return [await _about_one(planned, asker) for planned in commits]


async def _about_one(planned: PlannedCommit, asker: Asker[T]) -> CommitAnswers[T]:
    """All parts of one commit; where one is too long for the model, the commit is split into smaller ones."""
    capacity = asker.capacity
    while True:
        parts = planned.parts
        results = await asyncio.gather(*(asker.about([part]) for part in parts), return_exceptions=True)
        errors = [result for result in results if isinstance(result, BaseException)]
        if not errors:
            firsts = (result[0] for result in results if isinstance(result, list))
            return CommitAnswers(planned, tuple(zip(parts, firsts, strict=True)))
        if others := [error for error in errors if not isinstance(error, TooLong)]:
            raise others[0]
        capacity = int(min(capacity, max(part.chunk.tokens for part in parts)) * _SMALLER)
        if capacity < context_budget.LEAST:
            return CommitAnswers(planned, tuple((part, NoAnswer(str(errors[0]))) for part in parts))
        planned = replace(planned, plan=planned.replan(capacity))
