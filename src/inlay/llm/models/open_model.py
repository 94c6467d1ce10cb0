"""Opens a model by its name: finds its key and its server, and puts what is known about it beside it."""

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
from inlay.llm.recorder import Recording
from inlay.model.answer import ModelInfo
from inlay.model.settings import Settings
from inlay.storage.stores import model_files, transcripts
from inlay.text.redact import secrets_of

OPENROUTER = "https://openrouter.ai/api/v1"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})


@dataclass(frozen=True, slots=True)
class _Opening:
    """Everything that opening a model depends on."""

    name: ModelName
    settings: Settings
    environ: Mapping[str, str]
    base_url: str | None = None  #: where discovery found a server

    def key(self, variable: str) -> str:
        """A key that must be there."""
        value = self.environ.get(variable, "").strip()
        if not value:
            raise NoModel(f"{self.name} needs a key: set {variable}")
        return value

    def info(self, *, free: bool = False) -> tuple[ModelInfo, tuple[str, ...]]:
        return registry.look_up(self.name, self.settings.table("models"), free=free)


def open_model(name: str | None, settings: Settings, environ: Mapping[str, str], *, record: str | None = None) -> Model:
    """The model of that name, else the one in the settings, else whichever is found; raises NoModel.

    Nothing is asked and nothing heavy is imported yet. `record` names a file that every answer is written to.
    """
    model = _opened(name, settings, environ)
    if record is None:
        return model
    transcripts.begin(record, model.info.name)
    keep = partial(transcripts.append, record)
    return replace(model, provider=Recording(model.provider, keep, secrets_of(environ)))


def _opened(name: str | None, settings: Settings, environ: Mapping[str, str]) -> Model:
    chosen = name or settings.text("model")
    if chosen:
        parsed = model_names.parse(chosen)
        return _OPENERS[parsed.provider](_Opening(parsed, settings, environ))
    found = discovery.find(settings, environ)
    model = _OPENERS[found.name.provider](_Opening(found.name, settings, environ, found.base_url))
    return replace(model, notes=(f"using {found.name}: {found.why}", *model.notes))


def _require(extra: str, package: str) -> None:
    """Raise where an optional package is missing, without the time it takes to import one that is there."""
    if importlib.util.find_spec(package) is None:
        raise NoModel(f"asking this model needs an extra: pip install 'inlay[{extra}]'")


def _anthropic(opening: _Opening) -> Model:
    from inlay.llm.providers.anthropic import BASE_URL, Anthropic

    _require("llm", "pydantic_ai")
    base_url = opening.environ.get("ANTHROPIC_BASE_URL") or BASE_URL
    info, notes = opening.info()
    provider = Anthropic(info, opening.name.model, opening.key("ANTHROPIC_API_KEY"), base_url.rstrip("/"))
    return Model(info, provider, notes)


def _openai(opening: _Opening) -> Model:
    from inlay.llm.providers.openai import BASE_URL

    own = openai_url(opening.settings, opening.environ)
    base_url = opening.base_url or own
    if base_url == BASE_URL:
        return _compatible(opening, base_url, opening.key("OPENAI_API_KEY"))
    # The key is for the server that the user named, not for whatever was found on a usual port.
    return _compatible(opening, base_url, opening.environ.get("OPENAI_API_KEY") if base_url == own else None)


def openai_url(settings: Settings, environ: Mapping[str, str]) -> str:
    """Where the user's OpenAI-compatible server is."""
    from inlay.llm.providers.openai import BASE_URL

    return (settings.text("base_url") or environ.get("OPENAI_BASE_URL") or BASE_URL).rstrip("/")


def _openrouter(opening: _Opening) -> Model:
    base_url = opening.environ.get("OPENROUTER_BASE_URL") or OPENROUTER
    return _compatible(opening, base_url.rstrip("/"), opening.key("OPENROUTER_API_KEY"))


def _ollama(opening: _Opening) -> Model:
    base_url = opening.base_url or discovery.ollama_url(opening.environ)
    return _compatible(opening, base_url, opening.environ.get("OLLAMA_API_KEY"))


def _compatible(opening: _Opening, base_url: str, key: str | None) -> Model:
    from inlay.llm.providers.openai import OpenAI

    _require("llm", "pydantic_ai")
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise NoModel(f"base_url must begin with http:// or https://, not {base_url!r}")
    info, notes = opening.info(free=_is_free(opening.name, base_url))
    return Model(info, OpenAI(info, opening.name.model, key, base_url), notes)


def _is_free(name: ModelName, base_url: str) -> bool:
    """Whether nobody is paid: behind a local address there may still be a proxy to a model that has a price."""
    here = urlsplit(base_url).hostname in _LOOPBACK
    return name.provider == "ollama" or (here and not registry.is_listed(name))


def _local(opening: _Opening) -> Model:
    from inlay.llm.providers.local import Local
    from inlay.llm.providers.openai import OpenAI

    path = model_files.find(opening.name.model, opening.environ)
    _require("local", "xllamacpp")
    _require("llm", "pydantic_ai")
    info, notes = opening.info(free=True)

    def through(base_url: str, key: str) -> Provider:
        return OpenAI(info, opening.name.model, key, base_url)

    return Model(info, Local(path, info.context, through, opening.settings.integer("threads")), notes)


def _recorded(opening: _Opening) -> Model:
    from inlay.llm.providers.recorded import Recorded

    transcript = transcripts.read(os.path.expanduser(opening.name.model))
    of = replace(opening, name=model_names.parse(transcript.model)) if transcript.model else opening
    info, _ = of.info(free=not registry.is_listed(of.name))
    info = replace(info, name=str(opening.name))
    return Model(info, Recorded(transcript, opening.name.model, info))


_OPENERS = {
    "anthropic": _anthropic,
    "openai": _openai,
    "openrouter": _openrouter,
    "ollama": _ollama,
    "local": _local,
    "recorded": _recorded,
}
