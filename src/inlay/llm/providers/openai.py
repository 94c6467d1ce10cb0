"""Every server that speaks OpenAI's chat interface: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM, LM Studio."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from inlay.llm.provider import OnText
from inlay.llm.pydantic_call import LONGEST_CONNECT, Exchange, tls_context
from inlay.model.answer import Answer, ModelInfo
from inlay.model.prompt import Request
from inlay.text.redact import without_secrets

if TYPE_CHECKING:
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings

BASE_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # a server without keys still gets the header
# Some models begin with their thoughts; the same tag further on is part of the answer.
_THOUGHT = re.compile(r"\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


class OpenAI:
    """Answers through the Chat Completions interface, streamed."""

    def __init__(self, info: ModelInfo, model: str, key: str | None, base_url: str = BASE_URL) -> None:
        self._model = model
        self._key = key or _NO_KEY
        self._base_url = base_url
        who = "OpenAI" if base_url == BASE_URL else f"the server at {without_secrets(base_url)}"
        self._exchange = Exchange(who, info, (key,) if key else ())

    def __repr__(self) -> str:
        return f"OpenAI({self._model!r}, {without_secrets(self._base_url)!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        profile = OpenAIModelProfile(
            # A stream that just ends was cut off; without this it would pass for a complete answer.
            openai_chat_streaming_requires_finish_reason=True,
            # Only OpenAI itself requires the new name of the limit; many others know the old one only.
            openai_chat_supports_max_completion_tokens=self._base_url == BASE_URL,
            # Such tags may be in the file that is edited, so no part of an answer is removed because of them.
            thinking_tags=("\0", "\0"),
            ignore_streamed_leading_whitespace=False,
        )
        # The caller counts attempts; a library that retries by itself would multiply them. A client lives for one
        # call, because it belongs to the event loop that runs it.
        http = DefaultAsyncHttpxClient(verify=tls_context())
        async with AsyncOpenAI(api_key=self._key, base_url=self._base_url, max_retries=0, http_client=http) as client:
            model = OpenAIChatModel(self._model, provider=OpenAIProvider(openai_client=client), profile=profile)
            answer = await self._exchange.run(model, request, _settings(request, model), on_text)
        return replace(answer, text=_THOUGHT.sub("", answer.text))


def _settings(request: Request, model: OpenAIChatModel) -> OpenAIChatModelSettings:
    from openai import Timeout
    from pydantic_ai.models.openai import OpenAIChatModelSettings

    settings = OpenAIChatModelSettings(
        max_tokens=request.max_output,
        timeout=Timeout(request.timeout, connect=min(request.timeout, LONGEST_CONNECT)),  # type: ignore[typeddict-item]
    )
    # A model that reasons takes no temperature; the library would print a warning.
    if request.temperature is not None and not model.profile.get("openai_supports_reasoning"):
        settings["temperature"] = request.temperature
    if request.json:
        settings["extra_body"] = {"response_format": {"type": "json_object"}}
    return settings
