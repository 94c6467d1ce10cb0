"""Ask a model about commits: together where they are small, again where an answer cannot be used, within limits."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from inlay.commits.parse_commit_answer import Unusable, entries, only_entry
from inlay.commits.truncate import Truncator
from inlay.errors import LimitReached, ProviderFailure
from inlay.llm import context_budget
from inlay.llm.call import Sleep, ask
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import Backoff
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Message, Prompt, Request
from inlay.prompts import sanitise
from inlay.prompts.commit_parts import ShownPart

if TYPE_CHECKING:
    from inlay.commits.requests import CommitPart

log = logging.getLogger("inlay.commits")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


_MOST_IN_A_ROW = 4  # requests that fail one after the other before no more are sent
_PER_COMMIT = 500  # tokens of answer, where several commits share one
_LEAST_QUOTED = 100  # tokens of an unusable answer that are quoted when it is asked for again
_COMPLAINT = 1_000  # characters
_HOPELESS = frozenset({401, 403, 404})
_TOO_LONG = re.compile(
    r"(?i)too long|context.{0,20}(?:length|window|size)|maximum context|exceed.{0,40}(?:token|context)"
)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    why: str


class TooLong(Exception):
    """The provider says that the request is longer than the model's context."""


class Question(Protocol[T_co]):
    """What is asked about commits, and what an answer means."""

    @property
    def job(self) -> str:
        """The name it has in labels and metrics."""

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt: ...

    def read(self, entry: Mapping[str, object], part: CommitPart) -> T_co:
        """What one commit's entry says; raises Unusable where that cannot be used."""


@dataclass(frozen=True, slots=True)
class Inquiry(Generic[T]):
    """A question about one commit that is asked until an answer can be used."""

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
    truncator: Truncator
    concurrency: int
    timeout: float  #: seconds without an answer after which a call is given up
    gate: asyncio.Semaphore  #: shared by all askers of a session
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Sleep = asyncio.sleep
    #: Called after each answer that was paid for, with the text that was sent and what the provider counted.
    on_usage: Callable[[str, Usage], None] | None = None
    forget: Callable[[Request], None] | None = None  #: called with requests whose answers could not be used
    errors: list[str] = field(default_factory=list)  #: the kind of each failure, for the metrics
    requests: int = 0  #: that were sent, each once however often it was tried
    _stopped: str = ""
    _in_a_row: int = 0

    async def about(self, parts: Sequence[CommitPart]) -> list[T | NoAnswer]:
        """An answer to each; those that share a request and fail are asked about in smaller groups, then alone.

        Raises TooLong where a single part is too long for the model, ProviderFailure where no request can succeed.
        """
        if len(parts) == 1:
            part = parts[0]
            inquiry = Inquiry(
                f"{self.question.job} {part.planned.id} part {part.number + 1} of {len(part.planned.parts)}",
                part.planned.id,
                part.chunk.tokens,
                prompt=lambda: self.question.prompt([part.shown()]),
                read=lambda entry: self.question.read(entry, part),
            )
            return [await self.alone(inquiry)]
        answers = await self._together(parts)
        rest = [part for part in parts if part.planned.id not in answers]
        if rest:
            at = len(rest) // 2 if len(rest) == len(parts) else len(rest)
            halves = [half for half in (rest[:at], rest[at:]) if half]
            results = await asyncio.gather(*map(self.about, halves), return_exceptions=True)
            # Where one fails, only after the others have ended, so that no request goes on in the background.
            for half, result in zip(halves, results, strict=True):
                if isinstance(result, BaseException):
                    raise result
                answers |= {part.planned.id: answer for part, answer in zip(half, result, strict=True)}
        return [answers[part.planned.id] for part in parts]

    async def _together(self, parts: Sequence[CommitPart]) -> dict[str, T | NoAnswer]:
        """The answers of one request; without those that are missing or cannot be used."""
        label = f"{self.question.job} {parts[0].planned.id} and {len(parts) - 1} more"
        tokens = sum(part.chunk.tokens for part in parts) + context_budget.COMMIT * (len(parts) - 1)
        try:
            async with self.gate:
                prompt = self.question.prompt([part.shown(len(parts)) for part in parts])
                answer = await self._once(self._request(prompt, label, tokens, len(parts)))
        except TooLong:
            return {}
        if isinstance(answer, NoAnswer):
            return dict.fromkeys((part.planned.id for part in parts), answer) if self._stopped else {}
        by_id, _ = entries(answer)
        usable: dict[str, T | NoAnswer] = {}
        for part in parts:
            try:
                if part.planned.id in by_id:
                    usable[part.planned.id] = self.question.read(by_id[part.planned.id], part)
            except Unusable as error:
                self.errors.append(error.kind)
        return usable

    async def alone(self, inquiry: Inquiry[T]) -> T | NoAnswer:
        """One answer about one commit; one that cannot be used is asked for again with what was wrong."""
        why, asked = "", list[Request]()
        async with self.gate:
            # Made only now: the prompts of all parts together would be the whole diff once more.
            prompt = first = inquiry.prompt()
            for number in range(1, self.spending.limits.attempts + 1):
                label = f"{inquiry.label} attempt {number}" if number > 1 else inquiry.label
                asked.append(self._request(prompt, label, inquiry.tokens, 1))
                answer = await self._once(asked[-1])
                if isinstance(answer, NoAnswer):
                    return answer
                try:
                    return inquiry.read(only_entry(answer, inquiry.commit))
                except Unusable as error:
                    self.errors.append(error.kind)
                    log.info("%s: cannot be used: %s", label, error.kind)
                    why = str(error)
                    prompt = self._again(first, answer, f"(answer {number}) {why}", inquiry.tokens)
        for request in asked:
            if self.forget is not None:
                self.forget(request)  # or the next run would get the same answers
        return NoAnswer(f"none of {self.spending.limits.attempts} answers could be used: {why}")

    def _request(self, prompt: Prompt, label: str, tokens: int, commits: int) -> Request:
        # What the diffs leave of their room may be answer.
        most = context_budget.OUTPUT + max(0, self.capacity - tokens)
        output = min(self.model.info.max_output, max(context_budget.OUTPUT, _PER_COMMIT * commits), most)
        return Request(prompt, output, label, json=True, timeout=self.timeout)

    def _again(self, first: Prompt, answer: Answer, why: str, tokens: int) -> Prompt:
        """The first request with the last answer, as much of it as there is room for, and what was wrong with it.

        `why` differs with every attempt, or a model that repeats itself would be asked the same, and not at all.
        """
        room = min(context_budget.OUTPUT, max(_LEAST_QUOTED, self.capacity - tokens))
        reason = sanitise.line(why, _COMPLAINT)
        complaint = f"That answer cannot be used: {reason}\nAnswer again, in the form described."
        quoted = self.truncator.text(answer.text, room) or "(nothing)"
        return replace(first, messages=(*first.messages, Message("assistant", quoted), Message("user", complaint)))

    async def _once(self, request: Request) -> Answer | NoAnswer:
        if self._stopped:  # perhaps while this one waited for its turn
            return NoAnswer(self._stopped)
        try:
            answer = await ask(
                self.model,
                request,
                spending=self.spending,
                backoff=self.backoff,
                sleep=self.sleep,
                on_retry=lambda retry: log.info(
                    "%s: %s, again in %.1f s", request.label, retry.failure.kind, retry.pause
                ),
            )
        except LimitReached as limit:
            self._stopped = str(limit)
            return NoAnswer(self._stopped)
        except ProviderFailure as failure:
            return self._failed(failure)
        self._in_a_row = 0
        if answer.remembered:
            log.info("%s: known from an earlier run", request.label)
            return answer
        self.requests += 1
        log.info("%s: %d tokens in, %d out, %.1f s, %s",
                 request.label, answer.usage.input, answer.usage.output, answer.seconds, answer.stop)  # fmt: skip
        if self.on_usage is not None:
            self.on_usage(request.prompt.text, answer.usage)
        return answer

    def _failed(self, failure: ProviderFailure) -> NoAnswer:
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
        return NoAnswer(str(failure))
