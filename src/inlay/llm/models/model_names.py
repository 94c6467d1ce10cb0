"""Names of models: `provider:name`, and what a bare name means."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.errors import NoModel

#: where each provider's models come from, for messages
PROVIDERS = {
    "anthropic": "Claude, with ANTHROPIC_API_KEY",
    "openai": "OpenAI with OPENAI_API_KEY, or any compatible server at `base_url` or OPENAI_BASE_URL",
    "openrouter": "many models, with OPENROUTER_API_KEY",
    "ollama": "a local Ollama, at OLLAMA_HOST or port 11434",
    "local": "a GGUF file, pulled by `inlay model pull` or given by its path",
    "recorded": "a recording, given by its path",
}
_BARE = (
    ("claude", "anthropic"),
    ("gpt", "openai"),
    ("chatgpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
)


@dataclass(frozen=True, slots=True)
class ModelName:
    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def parse(name: str) -> ModelName:
    """Parse a name; raises NoModel where no provider can be meant."""
    provider, colon, model = name.partition(":")
    if colon and provider in PROVIDERS:
        if not model:
            raise NoModel(f"{name!r} names no model: write {provider}:NAME")
        return ModelName(provider, model)
    if name.endswith(".gguf"):
        return ModelName("local", name)
    for prefix, home in _BARE:
        if name.startswith(prefix) and "/" not in name:
            return ModelName(home, name)
    providers = ", ".join(PROVIDERS)
    raise NoModel(f"{name!r} is not a name of a model: write PROVIDER:NAME, where the provider is one of {providers}")
