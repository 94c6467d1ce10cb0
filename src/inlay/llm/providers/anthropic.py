"""Claude, through Anthropic's own interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inlay.llm.provider import OnText
from inlay.llm.pydantic_call import LONGEST_CONNECT, Exchange, tls_context
from inlay.model.answer import Answer, ModelInfo
from inlay.model.prompt import Request
from inlay.text.redact import without_secrets

if TYPE_CHECKING:
    from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings

BASE_URL = "https://api.anthropic.com"


class Anthropic:
    """Answers through the Messages interface, streamed, with the prompt's stable part cached."""

    def __init__(self, info: ModelInfo, model: str, key: str, base_url: str = BASE_URL) -> None:
        self._model = model
        self._base_url = base_url
        self._key = key
        who = "Anthropic" if base_url == BASE_URL else f"the server at {without_secrets(base_url)}"
        self._exchange = Exchange(who, info, (key,), marks_cache=True)

    def __repr__(self) -> str:
        return f"Anthropic({self._model!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        # The caller counts attempts; a library that retries by itself would multiply them. A client lives for one
        # call, because it belongs to the event loop that runs it.
        http = DefaultAsyncHttpxClient(verify=tls_context())
        async with AsyncAnthropic(
            api_key=self._key, base_url=self._base_url, max_retries=0, http_client=http
        ) as client:
            model = AnthropicModel(self._model, provider=AnthropicProvider(anthropic_client=client))
            return await self._exchange.run(model, request, _settings(request, model), on_text)


def _settings(request: Request, model: AnthropicModel) -> AnthropicModelSettings:
    from anthropic import Timeout
    from pydantic_ai.models.anthropic import AnthropicModelSettings

    settings = AnthropicModelSettings(
        max_tokens=request.max_output,
        timeout=Timeout(request.timeout, connect=min(request.timeout, LONGEST_CONNECT)),  # type: ignore[typeddict-item]
        anthropic_cache_instructions=bool(request.prompt.system),
    )
    # The newer models take no temperature; the library would print a warning.
    if request.temperature is not None and not model.profile.get("anthropic_disallows_sampling_settings"):
        settings["temperature"] = request.temperature
    return settings
