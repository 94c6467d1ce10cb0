"""One request through pydantic_ai: streamed, and ended by one answer or one failure."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from inlay.errors import FailureKind, ProviderFailure
from inlay.llm import provider_errors
from inlay.llm.provider import OnText
from inlay.model.answer import Answer, ModelInfo, Stop, Usage
from inlay.model.prompt import Prompt, Request

if TYPE_CHECKING:
    import ssl

    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model as SdkModel

_STOPS: dict[str | None, Stop] = {
    "stop": "end",
    "tool_call": "end",  # no tools are offered; a model that calls one nevertheless has ended its turn
    "length": "truncated",
    "content_filter": "refused",
}
_PAUSED = "pause_turn"  # Anthropic: the turn is not over, and what came is only a part
LONGEST_CONNECT = 20.0  #: seconds: a host that does not accept a connection in this time will not answer either


@cache
def tls_context() -> ssl.SSLContext:
    """Shared by all clients: loading the certificates takes a hundred times as long as the rest of a client."""
    import httpx

    return httpx.create_ssl_context()


@dataclass(frozen=True, slots=True)
class Exchange:
    """Calls one provider; no key appears in its messages."""

    who: str  #: for messages: "Anthropic", "the server at http://…"
    info: ModelInfo
    secrets: tuple[str, ...] = ()
    marks_cache: bool = False  #: whether the provider needs marks for what to cache

    def __repr__(self) -> str:
        return f"Exchange({self.who!r})"

    async def run(self, model: SdkModel, request: Request, settings: Any, on_text: OnText | None) -> Answer:
        """Ask once; raises ProviderFailure, whose text and causes contain no key."""
        import pydantic_ai.direct  # noqa: F401 - before the clock runs: the first import takes seconds

        began = time.monotonic()
        parts = self._parts(model, messages(request.prompt, self.marks_cache), settings)
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
        # The library's own timeout counts pings, which a server could send for ever.
        async with asyncio.timeout(patience) as clock:
            async for part in parts:
                if not isinstance(part, str):
                    return part
                clock.reschedule(loop.time() + patience)
                if on_text is not None and part:
                    on_text(part)
        raise AssertionError("a stream ends with an answer or a failure")  # pragma: no cover

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
        except Exception as error:  # noqa: BLE001 - whatever a library cannot handle is the server's failure
            failed = self._failure(error)
        else:
            yield response
            return
        # Outside the handler: the library's error refers to the request with its key, and must not become a cause.
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
            text = provider_errors.said_in(error.body)
            failed = provider_errors.from_status(self.who, error.status_code, text, error.headers or {}, self.secrets)
            if isinstance(error, exceptions.ModelQuotaExceededError):
                failed.kind = "permanent"  # no credit is left: waiting does not help
            return failed
        if isinstance(error, exceptions.UserError):
            return provider_errors.from_text(self.who, str(error), "permanent", self.secrets)
        if _timed_out(error):
            return self._silence()
        # What the provider called an error that it sent within a stream.
        is_overload = "overloaded" in str(getattr(error, "provider_error_type", ""))
        kind: FailureKind = "overloaded" if is_overload else "transient"
        return provider_errors.from_text(self.who, _described(error), kind, self.secrets)


def _timed_out(error: BaseException | None) -> bool:
    """Whether the library, or the one below it, stopped waiting."""
    while error is not None:
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            return True
        error = error.__cause__
    return False


def _described(error: Exception) -> str:
    from pydantic_ai.exceptions import ModelConnectionError

    text = str(error) or type(error).__name__
    if isinstance(error, ModelConnectionError):
        return "the connection failed" if error.phase == "connect" else "the connection broke off"
    if "decode" in text or isinstance(error, ValueError):
        return f"the answer cannot be read: {text}"
    return text


def _text_of(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def messages(prompt: Prompt, marks_cache: bool) -> list[ModelMessage]:
    """A prompt as messages of pydantic_ai."""
    from pydantic_ai.messages import CachePoint, ModelRequest, ModelResponse, TextPart, UserContent, UserPromptPart

    out: list[ModelMessage] = []
    marked = False
    for message in prompt.messages:
        if message.role == "assistant":
            out.append(ModelResponse(parts=[TextPart(message.text)]))
            marked = message.keep and marks_cache
            continue
        # A mark after an answer is put before what follows it: answers themselves cannot have one.
        before = [CachePoint()] if marked else []
        after = [CachePoint()] if message.keep and marks_cache else []
        marks: list[UserContent] = [*before, message.text, *after]
        part = UserPromptPart(marks if len(marks) > 1 else message.text)
        out.append(ModelRequest(parts=[part], instructions=prompt.system or None))
        marked = False
    return out
