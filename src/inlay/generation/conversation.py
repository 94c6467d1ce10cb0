"""One conversation with a model about some files of a task: ask, evaluate, and ask again with what was wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from inlay.errors import ImplementationError, InlayError, ProviderFailure
from inlay.generation.context import Count, Target, output_tokens, upper_bound, whole_tokens
from inlay.generation.evaluate import Accepted, Rejected, evaluate
from inlay.generation.events import Answered, AttemptFailed, AttemptStarted, OnEvent, Retrying, TextArrived
from inlay.generation.parse_answer import AnswerContext
from inlay.llm.call import ask
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import AT_ONCE, Backoff
from inlay.model.answer import Answer
from inlay.model.file import RepoPath, Snapshot
from inlay.model.prompt import Message, Prompt, Request
from inlay.model.task import Attempt, GenerateOptions, Mode
from inlay.prompts import edit_request, retry_feedback, sanitise
from inlay.prompts.blocks import Blocks

log = logging.getLogger("inlay.generate")
# A program that wants to read it adds a handler; without one, warnings would go to the error stream of any program.
log.addHandler(logging.NullHandler())

_CHARACTERS = 4  # to a token, for a figure that moves while text arrives
_NO_TEXT = "(no text)"  # providers take no empty turn
_LEFT_OUT = "(this answer was left out, because there is no room for it)"
_LEAST_OUTPUT = 256  # tokens; with less room than that no answer is worth requesting


@dataclass(frozen=True, slots=True)
class GenerationJob:
    """What all conversations of a task share."""

    model: Model
    options: GenerateOptions
    spending: Spending
    blocks: Blocks
    count: Count  #: tokens of a text
    gate: asyncio.Semaphore  #: limits the requests in flight
    emit: OnEvent
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Conversation:
    """Asks until an answer is accepted; every turn is added at the end, so that providers' caches hit."""

    def __init__(self, work: edit_request.Work, targets: tuple[Target, ...], job: GenerationJob, label: str) -> None:
        self._job = job
        self._files = tuple(str(target.path) for target in targets)
        self._label = label
        self._prompt = edit_request.prompt(work, job.blocks)
        self._targets = targets
        snapshot = Snapshot(
            {str(target.path): target.path for target in targets},
            {target.path: target.file for target in targets if target.file is not None},
        )
        unnamed, allow = self._only(set(self._files)), job.options.allow
        self._context = AnswerContext(
            targets, snapshot, work.format, unnamed=unnamed, allow=allow, asked=f"{work.instruction}\n{work.notes}"
        )
        self._mode: Mode = "edits" if "edits" in work.modes else "whole"
        self._failures = 0  # of the provider, in a row
        self._last = ""  # the last answer
        self._readable = False  # whether any answer so far had edits that could be read
        self._switched_before = False
        self.attempts: list[Attempt] = []
        self.answered = 0  #: bytes of all answers so far

    @property
    def mode(self) -> Mode:
        """How the files were requested first."""
        return self.attempts[0].mode if self.attempts else self._mode

    async def accepted_answer(self) -> Accepted:
        """Ask until an answer is accepted; raises ImplementationError when all attempts are used."""
        while True:
            number = len(self.attempts) + 1
            try:
                answer = await self._ask(number)
            except ProviderFailure as failure:
                await self._wait_after(failure, number)
                continue
            self._failures, self._last = 0, answer.text
            self.answered += len(answer.text.encode("utf-8", "replace"))
            outcome = evaluate(answer, self._context)
            self.attempts.append(Attempt(number, self._mode, "", "", answer.usage, answer.cost, answer.seconds))
            if isinstance(outcome, Accepted):
                return outcome
            self.reject(outcome)

    def reject(self, rejected: Rejected) -> None:
        """The last answer cannot be used: the next turn says why; raises when there is no next turn."""
        failed = replace(self.attempts[-1], error=rejected.error, message=sanitise.line(rejected.message))
        self.attempts[-1] = failed
        self._report(failed, f"[RETRY {failed.number}] Validation: {failed.message}")
        self._require_another(rejected.cause)
        rejected = self._with_other_mode(rejected)
        feedback = rejected.feedback
        self._context = replace(
            self._context,
            accepted=rejected.accepted,
            expected=rejected.expected,
            cut=feedback.cut,
            may_end=feedback.may_end,
            unnamed=self._only({*feedback.resend, *(misfit.path for misfit in feedback.misfits)}),
            doubted=self._context.doubted | rejected.doubted,
        )
        turns = (
            Message("assistant", self._last.strip() or _NO_TEXT),
            Message("user", retry_feedback.message(feedback, self._job.blocks), keep=True),
        )
        self._prompt = replace(self._prompt, messages=self._prompt.messages + turns)
        self._job.emit(Retrying(self._files, failed.number + 1, 0.0, len(feedback.accepted)))

    async def _ask(self, number: int) -> Answer:
        job, arrived = self._job, 0
        prompt, max_output = self._fitting()
        request = Request(prompt, max_output, self._label, job.options.timeout)
        most = job.options.limits.attempts

        def on_text(piece: str) -> None:
            nonlocal arrived
            arrived += len(piece)
            job.emit(TextArrived(self._files, number, piece, arrived // _CHARACTERS))

        async with job.gate:
            job.emit(AttemptStarted(self._files, number, most, self._mode, self._context.format))
            log.debug("attempt %d of %d: %s", number, most, ", ".join(self._files))
            answer = await ask(job.model, request, spending=job.spending, backoff=AT_ONCE, on_text=on_text)
        job.emit(Answered(self._files, number, answer.usage, answer.cost, answer.seconds, answer.remembered))
        log.debug("attempt %d answered: %s, %d tokens", number, answer.stop, answer.usage.output)
        return answer

    def _fitting(self) -> tuple[Prompt, int]:
        """What to send, and how many tokens are left for the answer; earlier answers are left out for lack of room."""
        info = self._job.model.info
        enough = min(info.max_output, sum(output_tokens(target, upper_bound) for target in self._targets))
        room = self._room(self._prompt)
        if room >= enough:
            return self._prompt, min(info.max_output, room)
        # The last turn says what was wrong, and the task stays as it was, so that caches hit.
        first, *others = self._prompt.messages
        messages = (first, Message("assistant", _LEFT_OUT), others[-1]) if others else (first,)
        prompt = replace(self._prompt, messages=messages)
        room = self._room(prompt)
        if room < min(enough, _LEAST_OUTPUT):
            message = f"the request does not fit {info.name}: it has {info.context:,} tokens in all"
            raise ProviderFailure(message, "permanent")
        return prompt, min(info.max_output, room)

    def _room(self, prompt: Prompt) -> int:
        info = self._job.model.info
        room = info.context - upper_bound(prompt.text)
        return room if room >= info.max_output else info.context - self._job.count(prompt.text)

    async def _wait_after(self, failure: ProviderFailure, number: int) -> None:
        """The call itself failed: wait and continue, or give up."""
        self._failures += 1
        message = sanitise.line(str(failure))
        failed = Attempt(number, self._mode, failure.kind, message)
        self.attempts.append(failed)
        is_final = self._job.backoff.gives_up(failure, 1)
        self._report(failed, f"API error: {message}" if is_final else f"[RETRY {number}] API error: {message}")
        if is_final:
            raise failure
        self._require_another(failure)
        pause = self._job.backoff.pause(failure, self._failures)
        self._job.spending.require_time(pause, failure)
        log.debug("waiting %.1f s before asking again", pause)
        self._job.emit(Retrying(self._files, number + 1, pause, len(self._context.accepted)))
        await self._job.sleep(pause)

    def _report(self, failed: Attempt, line: str) -> None:
        log.warning("%s", line)
        self._job.emit(AttemptFailed(self._files, failed, line))

    def _require_another(self, cause: InlayError) -> None:
        most = self._job.options.limits.attempts
        if len(self.attempts) < most:
            return
        listed = "; ".join(f"attempt {failed.number}: {failed.message} [{failed.error}]" for failed in self.attempts)
        count = "the only attempt" if most == 1 else f"all {most} attempts"
        message = f"{', '.join(self._files)}: {count} failed, and nothing was written. {listed}"
        raise ImplementationError(message, cause=cause, attempts=len(self.attempts)) from cause

    def _only(self, paths: set[str]) -> RepoPath | None:
        """The one file that can be meant, if it is one: of those the last feedback was about, or of all."""
        named = [target.path for target in self._targets if str(target.path) in paths]
        meant = named or [target.path for target in self._targets]
        return meant[0] if len(meant) == 1 else None

    def _with_other_mode(self, rejected: Rejected) -> Rejected:
        """The rejection, with a request for the other mode where the one so far leads nowhere."""
        self._readable |= not rejected.unreadable or rejected.gained
        if not rejected.unreadable or rejected.gained or self._switched_before:
            return rejected
        is_last = len(self.attempts) + 1 == self._job.options.limits.attempts
        if self._mode == "whole":
            all_exist = all(target.file is not None for target in self._targets)
            return self._switched("edits", rejected) if rejected.error == "truncated" and all_exist else rejected
        if is_last and not self._readable:
            tokens = sum(whole_tokens(target, self._job.count) for target in self._targets)
            return self._switched("whole", rejected) if tokens <= self._job.model.info.max_output else rejected
        return rejected

    def _switched(self, mode: Mode, rejected: Rejected) -> Rejected:
        """The next turn asks for the other mode, so that the turns before it stay as they were."""
        self._mode, self._switched_before = mode, True
        log.warning("asking for %s instead", "edits" if mode == "edits" else "the whole file")
        answering = edit_request.answering(self._context.format, frozenset({mode}))
        feedback = replace(rejected.feedback, answering=answering, accepted=(), resend=(), may_end=False, cut=False)
        return replace(rejected, feedback=feedback, accepted=(), expected={})
