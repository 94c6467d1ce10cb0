"""Opens a model by its name: finds its key, its server and its entry in the registry."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from inlay.errors import NoModel
from inlay.llm.models import discovery, model_names, registry
from inlay.llm.models.model_names import ModelName
from inlay.llm.provider import Model, Provider
from inlay.llm.recorder import RecordingProvider
from inlay.model.answer import ModelInfo
from inlay.model.settings import Settings
from inlay.storage.config import load_settings
from inlay.storage.stores import model_files, transcripts
from inlay.text.redact import secrets_of

OPENROUTER = "https://openrouter.ai/api/v1"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})


@dataclass(frozen=True, slots=True)
class _Source:
    name: ModelName
    settings: Settings
    environ: Mapping[str, str]
    base_url: str | None = None  #: of a server that discovery found

    def key(self, variable: str) -> str:
        """A key that is required."""
        value = self.environ.get(variable, "").strip()
        if not value:
            raise NoModel(f"{self.name} needs a key: set {variable}")
        return value

    def info(self, *, free: bool = False) -> tuple[ModelInfo, tuple[str, ...]]:
        return registry.look_up(self.name, self.settings.table("models"), free=free)


def open_model(name: str | None, settings: Settings, environ: Mapping[str, str], *, record: str | None = None) -> Model:
    """The model of that name, else the one in the settings, else the first one found; raises NoModel.

    No request is sent and nothing heavy is imported yet. `record` names a file that every answer is written to.
    """
    if chosen := name or settings.text("model"):
        parsed = model_names.parse(chosen)
        model = _OPENERS[parsed.provider](_Source(parsed, settings, environ))
    else:
        server = discovery.find(settings, environ)
        model = _OPENERS[server.name.provider](_Source(server.name, settings, environ, server.base_url))
        model = replace(model, notes=(f"using {server.name}: {server.why}", *model.notes))
    if record is None:
        return model
    transcripts.begin(record, model.info.name)
    keep = partial(transcripts.append, record)
    return replace(model, provider=RecordingProvider(model.provider, keep, secrets_of(environ)))


def model_for(name: str | None, root: str | os.PathLike[str], settings: Settings | None = None) -> Model:
    """The model of that name, else the one that is configured for a project or found; raises NoModel."""
    return open_model(name, settings or load_settings.load(root, os.environ), os.environ)


def _require(extra: str, package: str) -> None:
    """Raise where an optional package is missing, without importing one that is there."""
    if importlib.util.find_spec(package) is None:
        raise NoModel(f"this model needs an extra: pip install 'inlay[{extra}]'")


def _anthropic(source: _Source) -> Model:
    from inlay.llm.providers.anthropic import BASE_URL, Anthropic

    _require("llm", "pydantic_ai")
    base_url = source.environ.get("ANTHROPIC_BASE_URL") or BASE_URL
    info, notes = source.info()
    provider = Anthropic(info, source.name.model, source.key("ANTHROPIC_API_KEY"), base_url.rstrip("/"))
    return Model(info, provider, notes)


def _openai(source: _Source) -> Model:
    from inlay.llm.providers.openai import BASE_URL

    own = openai_url(source.settings, source.environ)
    base_url = source.base_url or own
    if base_url == BASE_URL:
        return _compatible(source, base_url, source.key("OPENAI_API_KEY"))
    # The key is for the server that the user named, not for one found on a usual port.
    return _compatible(source, base_url, source.environ.get("OPENAI_API_KEY") if base_url == own else None)


def openai_url(settings: Settings, environ: Mapping[str, str]) -> str:
    """The address of the user's OpenAI-compatible server."""
    from inlay.llm.providers.openai import BASE_URL

    return (settings.text("base_url") or environ.get("OPENAI_BASE_URL") or BASE_URL).rstrip("/")


def _openrouter(source: _Source) -> Model:
    base_url = source.environ.get("OPENROUTER_BASE_URL") or OPENROUTER
    return _compatible(source, base_url.rstrip("/"), source.key("OPENROUTER_API_KEY"))


def _ollama(source: _Source) -> Model:
    base_url = source.base_url or discovery.ollama_url(source.environ)
    return _compatible(source, base_url, source.environ.get("OLLAMA_API_KEY"))


def _compatible(source: _Source, base_url: str, key: str | None) -> Model:
    from inlay.llm.providers.openai import OpenAI

    _require("llm", "pydantic_ai")
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise NoModel(f"base_url must begin with http:// or https://, not {base_url!r}")
    # Behind a local address there may still be a proxy to a model that has a price.
    is_local = urlsplit(base_url).hostname in _LOOPBACK and not registry.is_listed(source.name)
    info, notes = source.info(free=source.name.provider == "ollama" or is_local)
    return Model(info, OpenAI(info, source.name.model, key, base_url), notes)


def _local(source: _Source) -> Model:
    from inlay.llm.providers.local import Local
    from inlay.llm.providers.openai import OpenAI

    path = model_files.find(source.name.model, source.environ)
    _require("local", "xllamacpp")
    _require("llm", "pydantic_ai")
    info, notes = source.info(free=True)

    def through(base_url: str, key: str) -> Provider:
        return OpenAI(info, source.name.model, key, base_url)

    return Model(info, Local(path, info.context, through, source.settings.integer("threads")), notes)


def _recorded(source: _Source) -> Model:
    from inlay.llm.providers.recorded import Recorded

    transcript = transcripts.read(os.path.expanduser(source.name.model))
    of = replace(source, name=model_names.parse(transcript.model)) if transcript.model else source
    info, _ = of.info(free=not registry.is_listed(of.name))
    info = replace(info, name=str(source.name))
    return Model(info, Recorded(transcript, source.name.model, info))


_OPENERS = {
    "anthropic": _anthropic,
    "openai": _openai,
    "openrouter": _openrouter,
    "ollama": _ollama,
    "local": _local,
    "recorded": _recorded,
}
