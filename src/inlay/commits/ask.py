"""Asks a model about commits: together where they are small, again where an answer will not do, never without end."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, Protocol, TypeAlias, TypeVar

from inlay.commits.parse_commit_answer import Unusable, entries, only_entry
from inlay.commits.requests import Portion
from inlay.commits.truncate import Truncator
from inlay.errors import LimitReached, ProviderFailure
from inlay.llm import context_budget
from inlay.llm.call import Sleep, ask
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff, Retry
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Message, Prompt, Request
from inlay.prompts import sanitise
from inlay.prompts.commit_parts import ShownPart

log = logging.getLogger("inlay.commits")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
#: Called after each answer that was paid for, with the text that was sent and what the provider counted.
OnUsage: TypeAlias = Callable[[str, Usage], None]

_MOST_IN_A_ROW = 4  # requests that fail one after the other before nobody is asked any more
_PER_COMMIT = 500  # tokens of answer, where several commits share one
_LEAST_QUOTED = 100  # tokens of an answer that will not do, when it is asked for again
_COMPLAINT = 1_000  # characters
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


@dataclass(frozen=True, slots=True)
class Errand(Generic[T]):
    """A question about one commit that is asked until the answer will do."""

    label: str
    commit: str  #: what the answer calls it
    tokens: int  #: of what the prompt is about
    prompt: Callable[[], Prompt]
    read: Callable[[Mapping[str, object]], T]


@dataclass(slots=True)
class Asker(Generic[T]):
    """Asks one question about any number of commits within one set of limits."""

    model: Model
    question: Question[T]
    spending: Spending
    capacity: int  #: tokens of diff that a request has room for
    fitting: Truncator
    concurrency: int
    timeout: float  #: seconds without an answer after which a call is given up
    gate: asyncio.Semaphore  #: shared with whoever else asks at the same time
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Sleep = asyncio.sleep
    on_usage: OnUsage | None = None
    forget: Callable[[Request], None] | None = None  #: called with what got no answer of any use
    errors: list[str] = field(default_factory=list)  #: the kind of each failure, for the metrics
    requests: int = 0  #: that were sent, each once however often it was tried
    _stopped: str = ""
    _in_a_row: int = 0

    async def about(self, portions: Sequence[Portion]) -> list[T | Left]:
        """An answer to each; those that share a request and fail are asked about in smaller groups, then alone.

        Raises TooLong where a single portion is too long for the model, ProviderFailure where no request can succeed.
        """
        if len(portions) == 1:
            return [await self._about_one(portions[0])]
        known = await self._together(portions)
        rest = [portion for portion in portions if portion.case.id not in known]
        if rest:
            at = len(rest) // 2 if len(rest) == len(portions) else len(rest)
            halves = [half for half in (rest[:at], rest[at:]) if half]
            for half, given in zip(halves, await _all(*map(self.about, halves)), strict=True):
                known |= {portion.case.id: said for portion, said in zip(half, given, strict=True)}
        return [known[portion.case.id] for portion in portions]

    async def _about_one(self, portion: Portion) -> T | Left:
        label = f"{self.question.job} {portion.case.id} part {portion.number + 1} of {portion.case.parts}"
        errand = Errand(
            label,
            portion.case.id,
            portion.tokens,
            prompt=lambda: self.question.prompt([portion.shown()]),
            read=lambda said: self.question.read(said, portion),
        )
        return await self.alone(errand)

    async def _together(self, portions: Sequence[Portion]) -> dict[str, T | Left]:
        """What one request tells about these; whatever is missing or will not do is not in it."""
        label = f"{self.question.job} {portions[0].case.id} and {len(portions) - 1} more"
        tokens = sum(portion.tokens for portion in portions) + context_budget.COMMIT * (len(portions) - 1)
        try:
            async with self.gate:
                prompt = self.question.prompt([portion.shown(len(portions)) for portion in portions])
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

    async def alone(self, errand: Errand[T]) -> T | Left:
        """One answer about one commit; one that will not do is asked for again with what was wrong."""
        async with self.gate:
            # Made only now: the prompts of all parts together would be the whole diff once more.
            return await self._attempts(errand, errand.prompt())

    async def _attempts(self, errand: Errand[T], first: Prompt) -> T | Left:
        why, prompt, asked = "", first, list[Request]()
        for number in range(1, self.spending.limits.attempts + 1):
            label = f"{errand.label} attempt {number}" if number > 1 else errand.label
            asked.append(self._request(prompt, label, errand.tokens, 1))
            answer = await self._once(asked[-1])
            if isinstance(answer, Left):
                return answer
            try:
                return errand.read(only_entry(answer, errand.commit))
            except Unusable as fault:
                self.errors.append(fault.kind)
                log.info("%s: will not do: %s", label, fault.kind)
                why = str(fault)
                prompt = self._again(first, answer, f"(answer {number}) {why}", errand.tokens)
        for request in asked:
            if self.forget is not None:
                self.forget(request)  # or the next run would be told the same
        return Left(f"no answer of {self.spending.limits.attempts} would do: {why}")

    def _request(self, prompt: Prompt, label: str, tokens: int, commits: int) -> Request:
        # What the diffs leave of their room may be answer.
        most = context_budget.OUTPUT + max(0, self.capacity - tokens)
        output = min(self.model.info.max_output, max(context_budget.OUTPUT, _PER_COMMIT * commits), most)
        return Request(prompt, output, label, json=True, timeout=self.timeout)

    def _again(self, first: Prompt, answer: Answer, why: str, tokens: int) -> Prompt:
        """The first request with the last answer, as much of it as there is room for, and what was wrong with it.

        `why` differs with every attempt, or a model that repeats itself would be asked the same, and not at all.
        """
        said = self.fitting.text(answer.text, min(context_budget.OUTPUT, max(_LEAST_QUOTED, self.capacity - tokens)))
        complaint = (
            f"That answer cannot be used: {sanitise.line(why, _COMPLAINT)}\nAnswer again, in the form described."
        )
        turns = (Message("assistant", said or "(nothing)"), Message("user", complaint))
        return replace(first, messages=first.messages + turns)

    async def _once(self, request: Request) -> Answer | Left:
        if self._stopped:  # perhaps while this one waited for its turn
            return Left(self._stopped)
        try:
            answer = await ask(
                self.model,
                request,
                spending=self.spending,
                backoff=self.backoff,
                sleep=self.sleep,
                on_retry=partial(_log_retry, request.label),
            )
        except LimitReached as limit:
            self._stopped = str(limit)
            return Left(self._stopped)
        except ProviderFailure as failure:
            return self._failed(failure)
        self.requests += not answer.remembered
        self._in_a_row = 0
        _log_answer(request.label, answer)
        if self.on_usage is not None and not answer.remembered:
            self.on_usage(request.prompt.text, answer.usage)
        return answer

    def _failed(self, failure: ProviderFailure) -> Left:
        self.requests += 1
        self.errors.append(failure.kind)
        log.info("failed: %s", failure.kind)
        if failure.kind == "permanent" and (failure.status == 413 or _TOO_LONG.search(str(failure))):
            raise TooLong(str(failure)) from None
        if failure.status in _HOPELESS:
            self._stopped = str(failure)
            raise failure
        self._in_a_row += 1
        if self._in_a_row >= _MOST_IN_A_ROW:
            self._stopped = f"the provider keeps failing: {failure}"
        return Left(str(failure))


async def _all(*asked: Awaitable[list[T]]) -> list[list[T]]:
    """Every result; where one fails, only after the others have ended, so that nothing goes on unseen."""
    found = await asyncio.gather(*asked, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return [each for each in found if isinstance(each, list)]


def _log_retry(label: str, retry: Retry) -> None:
    log.info("%s: %s, again in %.1f s", label, retry.failure.kind, retry.pause)


def _log_answer(label: str, answer: Answer) -> None:
    if answer.remembered:
        log.info("%s: known from an earlier run", label)
        return
    usage = answer.usage
    log.info("%s: %d tokens in, %d out, %.1f s, %s", label, usage.input, usage.output, answer.seconds, answer.stop)
