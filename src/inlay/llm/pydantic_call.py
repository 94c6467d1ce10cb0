"""One exchange through pydantic_ai: the words go out, the pieces come in, and one answer or one failure is the end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inlay.errors import FailureKind, ProviderFailure
from inlay.llm import provider_errors
from inlay.llm.provider import OnText
from inlay.model.answer import Answer, ModelInfo, Stop, Usage
from inlay.model.prompt import Prompt, Request

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model as SdkModel

_STOPS: dict[str | None, Stop] = {
    "stop": "end",
    "tool_call": "end",  # no tools are offered; a model that calls one all the same has ended its turn
    "length": "truncated",
    "content_filter": "refused",
}
_PAUSED = "pause_turn"  # Anthropic: the turn is not over, and what came is only a part


@dataclass(frozen=True, slots=True)
class Exchange:
    """Who is asked, and what must never show in a message about it."""

    who: str  #: for messages: "Anthropic", "the server at http://…"
    info: ModelInfo
    secrets: tuple[str, ...] = ()
    marks_cache: bool = False  #: whether the provider wants to be told what to cache

    def __repr__(self) -> str:
        return f"Exchange({self.who!r})"

    async def run(self, model: SdkModel, request: Request, settings: Any, on_text: OnText | None) -> Answer:
        """Ask once, never again; raises ProviderFailure, whose text and causes hold no key."""
        import pydantic_ai.direct  # noqa: F401 - before the clock runs: the first import takes seconds

        began = time.monotonic()
        parts = self._parts(model, conversation(request.prompt, self.marks_cache), settings)
        try:
            async with contextlib.aclosing(parts):
                response = await self._last_of(parts, request.timeout, on_text)
        except TimeoutError:
            raise self._silence() from None
        return self._answer(response, time.monotonic() - began)

    async def _last_of(
        self, parts: AsyncIterator[str | ModelResponse], patience: float, on_text: OnText | None
    ) -> ModelResponse:
        """The response that follows the pieces of text."""
        loop = asyncio.get_running_loop()
        # The library's own clock is content with pings; a server could send those for ever.
        async with asyncio.timeout(patience) as clock:
            async for part in parts:
                if not isinstance(part, str):
                    return part
                clock.reschedule(loop.time() + patience)
                if on_text is not None and part:
                    on_text(part)
        raise AssertionError("an exchange ends with an answer or a failure")  # pragma: no cover

    def _silence(self) -> ProviderFailure:
        return provider_errors.from_text(self.who, "nothing arrived for too long", "timeout")

    async def _parts(
        self, model: SdkModel, messages: list[ModelMessage], settings: Any
    ) -> AsyncGenerator[str | ModelResponse, None]:
        """Every piece of text, then the whole response."""
        from pydantic_ai.direct import model_request_stream

        try:
            async with model_request_stream(model, messages, model_settings=settings) as stream:
                async for event in stream:
                    yield _text_of(event)
                response = stream.get()
        except Exception as error:  # noqa: BLE001 - whatever a library trips over in an answer is the server's failure
            failed = self._failure(error)
        else:
            yield response
            return
        # Outside the handler: the library's error knows the request with its key, and must not hang on to ours.
        raise failed

    def _answer(self, response: ModelResponse, seconds: float) -> Answer:
        details = response.provider_details or {}
        stop = "truncated" if details.get("finish_reason") == _PAUSED else _STOPS.get(response.finish_reason)
        if stop is None:
            raise provider_errors.from_text(self.who, "the answer broke off before its end", "transient")
        text = "".join(part.content for part in response.parts if part.part_kind == "text")
        used = response.usage
        usage = Usage(used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cache_write_tokens)
        if stop == "refused" and not text:
            text = str(details.get("refusal") or "")
        name = response.model_name or ""
        return Answer(text, stop, usage, self.info.price(usage), name, seconds)

    def _failure(self, error: Exception) -> ProviderFailure:
        from pydantic_ai import exceptions

        if isinstance(error, exceptions.ModelHTTPError):
            said = provider_errors.said_in(error.body)
            failed = provider_errors.from_status(self.who, error.status_code, said, error.headers or {}, self.secrets)
            if isinstance(error, exceptions.ModelQuotaExceededError):
                failed.kind = "permanent"  # money has run out: no wait brings it back
            return failed
        if isinstance(error, exceptions.UserError):
            return provider_errors.from_text(self.who, str(error), "permanent", self.secrets)
        if _timed_out(error):
            return self._silence()
        kind: FailureKind = "overloaded" if "overloaded" in _type_of(error) else "transient"
        return provider_errors.from_text(self.who, _described(error), kind, self.secrets)


def _timed_out(error: BaseException | None) -> bool:
    """Whether the library, or the one below it, gave up waiting."""
    while error is not None:
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            return True
        error = error.__cause__
    return False


def _type_of(error: Exception) -> str:
    """What the provider called an error that it sent within a stream."""
    return str(getattr(error, "provider_error_type", None) or "")


def _described(error: Exception) -> str:
    from pydantic_ai.exceptions import ModelConnectionError

    said = str(error) or type(error).__name__
    if isinstance(error, ModelConnectionError):
        return "the connection failed" if error.phase == "connect" else "the connection broke off"
    if "decode" in said or isinstance(error, ValueError):
        return f"the answer cannot be read: {said}"
    return said


def _text_of(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def conversation(prompt: Prompt, marks_cache: bool) -> list[ModelMessage]:
    """The words as pydantic_ai wants them."""
    from pydantic_ai.messages import CachePoint, ModelRequest, ModelResponse, TextPart, UserContent, UserPromptPart

    messages: list[ModelMessage] = []
    marked = False
    for message in prompt.messages:
        if message.role == "assistant":
            messages.append(ModelResponse(parts=[TextPart(message.text)]))
            marked = message.keep and marks_cache
            continue
        # A mark after an answer is put before what follows it: answers themselves cannot carry one.
        before = [CachePoint()] if marked else []
        after = [CachePoint()] if message.keep and marks_cache else []
        marks: list[UserContent] = [*before, message.text, *after]
        part = UserPromptPart(marks if len(marks) > 1 else message.text)
        messages.append(ModelRequest(parts=[part], instructions=prompt.system or None))
        marked = False
    return messages
