"""Claude, through Anthropic's own interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inlay.llm.provider import OnText
from inlay.llm.pydantic_call import Exchange
from inlay.llm.sdk_clients import PerLoop
from inlay.model.answer import Answer, ModelInfo
from inlay.model.prompt import Request
from inlay.text.redact import struck

if TYPE_CHECKING:
    from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings

BASE_URL = "https://api.anthropic.com"
_LONGEST_CONNECT = 20.0  # seconds: a host that does not even pick up will not answer either


class Anthropic:
    """Answers through the Messages interface, streamed, with the prompt's stable part cached."""

    def __init__(self, info: ModelInfo, model: str, key: str, base_url: str = BASE_URL) -> None:
        self._model = model
        self._base_url = base_url
        self._key = key
        who = "Anthropic" if base_url == BASE_URL else f"the server at {struck(base_url)}"
        self._exchange = Exchange(who, info, (key,), marks_cache=True)
        self._models = PerLoop(self._make, _close)

    def __repr__(self) -> str:
        return f"Anthropic({self._model!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """One call, never repeated here."""
        model = await self._models.get()
        return await self._exchange.run(model, request, _settings(request, model), on_text)

    def _make(self) -> AnthropicModel:
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        # Attempts are counted by whoever asks; a library that tries again by itself would multiply them.
        client = AsyncAnthropic(api_key=self._key, base_url=self._base_url, max_retries=0)
        return AnthropicModel(self._model, provider=AnthropicProvider(anthropic_client=client))


def _settings(request: Request, model: AnthropicModel) -> AnthropicModelSettings:
    from anthropic import Timeout
    from pydantic_ai.models.anthropic import AnthropicModelSettings

    settings = AnthropicModelSettings(
        max_tokens=request.max_output,
        timeout=Timeout(request.timeout, connect=min(request.timeout, _LONGEST_CONNECT)),  # type: ignore[typeddict-item]
        anthropic_cache_instructions=bool(request.prompt.system),
    )
    # The newer models take no temperature; the library would say so in a warning to nobody in particular.
    if request.temperature is not None and not model.profile.get("anthropic_disallows_sampling_settings"):
        settings["temperature"] = request.temperature
    return settings


async def _close(model: AnthropicModel) -> None:
    await model.client.close()
