"""Asks a model about commits: together where they are small, again where an answer will not do, never without end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeAlias, TypeVar

from inlay.errors import LimitReached, ProviderFailure
from inlay.flows.commit_answers import Unusable, entries
from inlay.flows.portions import Portion
from inlay.llm import budget
from inlay.llm.asking import Sleep, ask
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.llm.spending import Spending
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Message, Prompt, Request
from inlay.prompts import sanitise
from inlay.prompts.commit_parts import ShownPart

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
#: Called after each answer that was paid for, with the text that was sent and what the provider counted.
OnUsage: TypeAlias = Callable[[str, Usage], None]

_MOST_IN_A_ROW = 4  # requests that fail one after the other before nobody is asked any more
_PER_COMMIT = 500  # tokens of answer, where several commits share one
_HOPELESS = frozenset({401, 403, 404})
_TOO_LONG = re.compile(
    r"(?i)too long|context.{0,20}(?:length|window|size)|maximum context|exceed.{0,40}(?:token|context)"
)


@dataclass(frozen=True, slots=True)
class Left:
    """What nobody has an answer about, and why."""

    why: str


class TooLong(Exception):
    """The provider says that the request is longer than the model's context."""


class Question(Protocol[T_co]):
    """What is asked about commits, and what an answer means."""

    @property
    def job(self) -> str:
        """The name it has in labels and metrics."""

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt: ...

    def read(self, said: Mapping[str, object], portion: Portion) -> T_co:
        """One commit's entry; raises Unusable where it will not do."""


@dataclass(slots=True)
class Asker(Generic[T]):
    """Asks one question about any number of commits within one set of limits."""

    model: Model
    question: Question[T]
    spending: Spending
    concurrency: int
    gate: asyncio.Semaphore  #: shared with whoever else asks at the same time
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Sleep = asyncio.sleep
    on_usage: OnUsage | None = None
    forget: Callable[[Request], None] | None = None  #: called with what got no answer of any use
    errors: list[str] = field(default_factory=list)  #: the kind of each failure, for the metrics
    requests: int = 0
    _stopped: str = ""
    _in_a_row: int = 0

    async def about(self, portions: Sequence[Portion]) -> list[T | Left]:
        """An answer to each; those that share a request and fail are asked about in smaller groups, then alone.

        Raises TooLong where a single portion is too long for the model, ProviderFailure where no request can succeed.
        """
        if len(portions) == 1:
            portion = portions[0]
            prompt = self.question.prompt([portion.shown])
            label = f"{self.question.job} {portion.case.id} part {portion.number + 1}"
            return [
                await self.alone(
                    prompt, label, portion.case.id, lambda said: self.question.read(said, portion), portion.tokens
                )
            ]
        known = await self._together(portions)
        rest = [portion for portion in portions if portion.case.id not in known]
        if rest:
            at = len(rest) // 2 if len(rest) == len(portions) else len(rest)
            halves = [half for half in (rest[:at], rest[at:]) if half]
            answers = await asyncio.gather(*(self.about(half) for half in halves))
            known |= {
                p.case.id: a
                for half, given in zip(halves, answers, strict=True)
                for p, a in zip(half, given, strict=True)
            }
        return [known[portion.case.id] for portion in portions]

    async def _together(self, portions: Sequence[Portion]) -> dict[str, T | Left]:
        """What one request tells about these; whatever is missing or will not do is not in it."""
        prompt = self.question.prompt([portion.shown for portion in portions])
        label = f"{self.question.job} {portions[0].case.id} and {len(portions) - 1} more"
        tokens = sum(portion.tokens for portion in portions)
        try:
            answer = await self._once(self._request(prompt, label, tokens, len(portions)))
        except TooLong:
            return {}
        if isinstance(answer, Left):
            return dict.fromkeys((portion.case.id for portion in portions), answer) if self._stopped else {}
        said, _ = entries(answer)
        found: dict[str, T | Left] = {}
        for portion in portions:
            entry = said.get(portion.case.id)
            try:
                found |= {portion.case.id: self.question.read(entry, portion)} if entry is not None else {}
            except Unusable as fault:
                self.errors.append(fault.kind)
        return found

    async def alone(
        self, prompt: Prompt, label: str, commit: str, read: Callable[[Mapping[str, object]], T], tokens: int
    ) -> T | Left:
        """One answer about one commit; one that will not do is asked for again with what was wrong."""
        why, asked = "", []
        for number in range(1, self.spending.limits.attempts + 1):
            asked.append(self._request(prompt, f"{label} attempt {number}" if number > 1 else label, tokens, 1))
            answer = await self._once(asked[-1])
            if isinstance(answer, Left):
                return answer
            try:
                return read(_only_entry(answer, commit))
            except Unusable as fault:
                self.errors.append(fault.kind)
                why = str(fault)
                prompt = _again(prompt, answer, why)
        for request in asked:
            if self.forget is not None:
                self.forget(request)  # or the next run would be told the same
        return Left(f"no answer of {self.spending.limits.attempts} would do: {why}")

    def _request(self, prompt: Prompt, label: str, tokens: int, commits: int) -> Request:
        info = self.model.info
        output = min(info.max_output, max(budget.OUTPUT, _PER_COMMIT * commits), max(1, info.context - tokens))
        return Request(prompt, output, label, json=True)

    async def _once(self, request: Request) -> Answer | Left:
        try:
            async with self.gate:
                if self._stopped:  # perhaps while this one waited for its turn
                    return Left(self._stopped)
                self.requests += 1
                answer = await ask(self.model, request, spending=self.spending, backoff=self.backoff, sleep=self.sleep)
        except LimitReached as limit:
            self._stopped = str(limit)
            return Left(self._stopped)
        except ProviderFailure as failure:
            return self._failed(failure)
        self._in_a_row = 0
        if self.on_usage is not None and not answer.remembered:
            self.on_usage(request.prompt.text, answer.usage)
        return answer

    def _failed(self, failure: ProviderFailure) -> Left:
        self.errors.append(failure.kind)
        if failure.kind == "permanent" and (failure.status == 413 or _TOO_LONG.search(str(failure))):
            raise TooLong(str(failure)) from None
        if failure.status in _HOPELESS:
            raise failure
        self._in_a_row += 1
        if self._in_a_row >= _MOST_IN_A_ROW:
            self._stopped = f"the provider keeps failing: {failure}"
        return Left(str(failure))


def _only_entry(answer: Answer, commit: str) -> Mapping[str, object]:
    """The entry about this commit; where only one commit was asked about, a missing id is no fault."""
    said, nameless = entries(answer)
    if commit in said:
        return said[commit]
    if not said and len(nameless) == 1:
        return nameless[0]
    raise Unusable("missing", f"the answer holds no entry for commit {commit}")


def _again(prompt: Prompt, answer: Answer, why: str) -> Prompt:
    said = answer.text if len(answer.text) <= 20_000 else answer.text[:20_000]
    complaint = f"That answer cannot be used: {sanitise.line(why, 1000)}\nAnswer again, in the form described."
    turns = (Message("assistant", said or "(nothing)"), Message("user", complaint))
    return replace(prompt, messages=prompt.messages + turns)
