"""One conversation with a model about some files of a task: asked, judged, and asked again with what was wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from inlay.errors import ImplementationError, InlayError, LimitReached, ProviderFailure
from inlay.generation.chat_turns import Turns
from inlay.generation.evaluate import Accepted, Fault, judge
from inlay.generation.events import Answered, AttemptFailed, AttemptStarted, OnEvent, Retrying, TextArrived
from inlay.generation.parse_answer import AnswerContext
from inlay.generation.request_mode import Count, Target, output_tokens, rough, whole_tokens
from inlay.llm.call import ask
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.llm.retry import AT_ONCE, Backoff
from inlay.model.answer import Answer
from inlay.model.file import RepoPath, Snapshot
from inlay.model.prompt import Request
from inlay.model.task import Attempt, GenerateOptions, Mode
from inlay.prompts import edit_request, retry_feedback, sanitise
from inlay.prompts.blocks import Blocks

log = logging.getLogger("inlay.generate")
# Whoever wants to read it adds a handler; without one, warnings would go to the error stream of any program.
log.addHandler(logging.NullHandler())

_CHARACTERS = 4  # to a token, for a figure that moves while text arrives


@dataclass(frozen=True, slots=True)
class Asking:
    """What all conversations of a job share."""

    model: Model
    options: GenerateOptions
    spending: Spending
    blocks: Blocks
    count: Count  #: tokens of a text
    gate: asyncio.Semaphore  #: lets only so many requests through at once
    emit: OnEvent
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Conversation:
    """Asks until an answer fits; every turn is added at the end, so that providers' caches hit."""

    def __init__(self, work: edit_request.Work, targets: tuple[Target, ...], asking: Asking, label: str) -> None:
        self._asking = asking
        self._files = tuple(str(target.path) for target in targets)
        self._label = label
        self._turns = Turns(edit_request.prompt(work, asking.blocks))
        self._targets = targets
        self._standing = AnswerContext(targets, _snapshot(targets), work.format, unnamed=self._only(set(self._files)))
        self._mode: Mode = "edits" if "edits" in work.modes else "whole"
        self._failures = 0  # of the provider, in a row
        self._last = ""  # what the model said last
        self._readable = False  # whether any answer so far held edits that could be read
        self._rerouted_before = False
        self.attempts: list[Attempt] = []
        self.answered = 0  #: bytes of all answers so far

    @property
    def mode(self) -> Mode:
        """How the files were asked for first."""
        return self.attempts[0].mode if self.attempts else self._mode

    async def settle(self) -> Accepted:
        """Ask until an answer fits; raises ImplementationError when every attempt is spent."""
        while True:
            number = len(self.attempts) + 1
            try:
                answer = await self._ask(number)
            except ProviderFailure as failure:
                await self._after(failure, number)
                continue
            self._failures, self._last = 0, answer.text
            self.answered += len(answer.text.encode("utf-8", "replace"))
            outcome = judge(answer, self._standing)
            self.attempts.append(_attempt(number, self._mode, answer))
            if isinstance(outcome, Accepted):
                return outcome
            self.reject(outcome)

    def reject(self, fault: Fault) -> None:
        """The last answer will not do: the next turn says why; raises when there is no next turn."""
        failed = replace(self.attempts[-1], error=fault.error, message=sanitise.line(fault.message))
        self.attempts[-1] = failed
        self._report(failed, f"[RETRY {failed.number}] Validation: {failed.message}")
        self._require_another(fault.cause)
        fault = self._rerouted(fault)
        complaint = fault.complaint
        self._standing = replace(
            self._standing,
            held=fault.held,
            owed=fault.owed,
            cut=complaint.cut,
            may_end=complaint.may_end,
            unnamed=self._only({*complaint.redo, *(misfit.path for misfit in complaint.misfits)}),
            doubted=self._standing.doubted | fault.doubted,
        )
        self._turns = self._turns.followed(self._last, retry_feedback.message(complaint, self._asking.blocks))
        self._asking.emit(Retrying(self._files, failed.number + 1, 0.0, len(complaint.held)))

    # --- asking ----------------------------------------------------------------------------------------------------

    async def _ask(self, number: int) -> Answer:
        asking = self._asking
        request = self._request()
        most = asking.options.limits.attempts
        async with asking.gate:
            asking.emit(AttemptStarted(self._files, number, most, self._mode, self._standing.format))
            log.debug("attempt %d of %d: %s", number, most, ", ".join(self._files))
            answer = await ask(
                asking.model, request, spending=asking.spending, backoff=AT_ONCE, on_text=self._listener(number)
            )
        asking.emit(
            Answered(self._files, number, answer.usage, answer.cost, answer.seconds, remembered=answer.remembered)
        )
        log.debug("attempt %d answered: %s, %d tokens", number, answer.stop, answer.usage.output)
        return answer

    def _request(self) -> Request:
        info, options = self._asking.model.info, self._asking.options
        wanted = sum(output_tokens(target, rough) for target in self._targets)
        prompt, most = self._turns.fitted(info, self._asking.count, wanted)
        return Request(prompt, most, self._label, options.timeout)

    def _listener(self, number: int) -> Callable[[str], None]:
        arrived = 0

        def hear(piece: str) -> None:
            nonlocal arrived
            arrived += len(piece)
            self._asking.emit(TextArrived(self._files, number, piece, arrived // _CHARACTERS))

        return hear

    async def _after(self, failure: ProviderFailure, number: int) -> None:
        """The call failed on its way: wait and go on, or give up."""
        self._failures += 1
        message = sanitise.line(str(failure))
        failed = Attempt(number, self._mode, failure.kind, message)
        self.attempts.append(failed)
        is_final = self._asking.backoff.gives_up(failure, 1)
        self._report(failed, f"API error: {message}" if is_final else f"[RETRY {number}] API error: {message}")
        if is_final:
            raise failure
        self._require_another(failure)
        pause = self._asking.backoff.pause(failure, self._failures)
        self._require_time(pause, failure)
        log.debug("waiting %.1f s before asking again", pause)
        self._asking.emit(Retrying(self._files, number + 1, pause, len(self._standing.held)))
        await self._asking.sleep(pause)

    def _require_time(self, pause: float, failure: ProviderFailure) -> None:
        left = self._asking.spending.seconds_left
        if left is not None and pause >= left:
            limit = self._asking.options.limits.seconds
            message = f"the limit of {limit:g} seconds ends before the model can be asked again: {failure}"
            raise LimitReached("seconds", message) from failure

    # --- failing ---------------------------------------------------------------------------------------------------

    def _report(self, failed: Attempt, line: str) -> None:
        log.warning("%s", line)
        self._asking.emit(AttemptFailed(self._files, failed, line))

    def _require_another(self, cause: InlayError) -> None:
        most = self._asking.options.limits.attempts
        if len(self.attempts) < most:
            return
        said = "; ".join(f"attempt {each.number}: {each.message} [{each.error}]" for each in self.attempts)
        count = "the only attempt" if most == 1 else f"all {most} attempts"
        message = f"{', '.join(self._files)}: {count} failed, and nothing was written. {said}"
        raise ImplementationError(message, cause=cause, attempts=len(self.attempts)) from cause

    def _rerouted(self, fault: Fault) -> Fault:
        """The fault, with another way to answer where the one so far leads nowhere."""
        self._readable |= not fault.unreadable or fault.gained
        if not fault.unreadable or fault.gained or self._rerouted_before:
            return fault
        is_last = len(self.attempts) + 1 == self._asking.options.limits.attempts
        if self._mode == "whole" and fault.error == "truncated" and self._could_be_edited():
            return self._switched("edits", fault)
        if self._mode == "edits" and is_last and not self._readable and self._could_be_whole():
            return self._switched("whole", fault)
        return fault

    def _only(self, paths: set[str]) -> RepoPath | None:
        """The one file that can be meant, if it is one: of those the last complaint was about, or of all."""
        named = [target.path for target in self._targets if str(target.path) in paths]
        found = named or [target.path for target in self._targets]
        return found[0] if len(found) == 1 else None

    def _could_be_edited(self) -> bool:
        return all(target.file is not None for target in self._targets)

    def _could_be_whole(self) -> bool:
        """Whether the model can write as much as all the files in one answer."""
        wanted = sum(whole_tokens(target, self._asking.count) for target in self._targets)
        return wanted <= self._asking.model.info.max_output

    def _switched(self, mode: Mode, fault: Fault) -> Fault:
        """From now on the other way; it is told in the next turn, so that what was said before stays as it was."""
        self._mode, self._rerouted_before = mode, True
        log.warning("asking for %s instead", "edits" if mode == "edits" else "the whole file")
        answering = edit_request.answering(self._standing.format, frozenset({mode}))
        complaint = replace(fault.complaint, answering=answering, held=(), redo=(), may_end=False, cut=False)
        return replace(fault, complaint=complaint, held=(), owed={})


def _attempt(number: int, mode: Mode, answer: Answer) -> Attempt:
    return Attempt(number, mode, "", "", answer.usage, answer.cost, answer.seconds)


def _snapshot(targets: tuple[Target, ...]) -> Snapshot:
    names = {str(target.path): target.path for target in targets}
    return Snapshot(names, {target.path: target.file for target in targets if target.file is not None})
