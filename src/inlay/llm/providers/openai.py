"""Every server that speaks OpenAI's chat interface: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM, LM Studio."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from inlay.llm.provider import OnText
from inlay.llm.pydantic_call import Exchange
from inlay.llm.sdk_clients import PerLoop
from inlay.model.answer import Answer, ModelInfo
from inlay.model.prompt import Request
from inlay.text.redact import struck

if TYPE_CHECKING:
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
    from pydantic_ai.profiles.openai import OpenAIModelProfile

BASE_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # a server without keys still gets the header
_LONGEST_CONNECT = 20.0  # seconds: a host that does not even pick up will not answer either
# Models that think aloud at the very beginning; the same tag further on is part of the answer.
_THOUGHT = re.compile(r"\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


class OpenAI:
    """Answers through the Chat Completions interface, streamed."""

    def __init__(self, info: ModelInfo, model: str, key: str | None, base_url: str = BASE_URL) -> None:
        self._model = model
        self._key = key or _NO_KEY
        self._base_url = base_url
        who = "OpenAI" if base_url == BASE_URL else f"the server at {struck(base_url)}"
        self._exchange = Exchange(who, info, (key,) if key else ())
        self._models = PerLoop(self._make, _close)

    def __repr__(self) -> str:
        return f"OpenAI({self._model!r}, {struck(self._base_url)!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """One call, never repeated here."""
        model = await self._models.get()
        answer = await self._exchange.run(model, request, _settings(request, model), on_text)
        return replace(
            answer, text=_THOUGHT.sub("", answer.text, count=1) if _THOUGHT.match(answer.text) else answer.text
        )

    def _make(self) -> OpenAIChatModel:
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        # Attempts are counted by whoever asks; a library that tries again by itself would multiply them.
        client = AsyncOpenAI(api_key=self._key, base_url=self._base_url, max_retries=0)
        return OpenAIChatModel(self._model, provider=OpenAIProvider(openai_client=client), profile=self._profile())

    def _profile(self) -> OpenAIModelProfile:
        from pydantic_ai.profiles.openai import OpenAIModelProfile

        return OpenAIModelProfile(
            # A stream that just ends was cut; without this it would pass for a whole answer.
            openai_chat_streaming_requires_finish_reason=True,
            # Only OpenAI itself insists on the new name of the limit; many others know the old one only.
            openai_chat_supports_max_completion_tokens=self._base_url == BASE_URL,
            # Such tags may stand in the file that is edited, so no part of an answer is taken out by them.
            thinking_tags=("\0", "\0"),
            ignore_streamed_leading_whitespace=False,
        )


def _settings(request: Request, model: OpenAIChatModel) -> OpenAIChatModelSettings:
    from openai import Timeout
    from pydantic_ai.models.openai import OpenAIChatModelSettings

    settings = OpenAIChatModelSettings(
        max_tokens=request.max_output,
        timeout=Timeout(request.timeout, connect=min(request.timeout, _LONGEST_CONNECT)),  # type: ignore[typeddict-item]
    )
    # A model that reasons takes no temperature; the library would say so in a warning to nobody in particular.
    if request.temperature is not None and not model.profile.get("openai_supports_reasoning"):
        settings["temperature"] = request.temperature
    if request.json:
        settings["extra_body"] = {"response_format": {"type": "json_object"}}
    return settings


async def _close(model: OpenAIChatModel) -> None:
    await model.client.close()
