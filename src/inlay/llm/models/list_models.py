"""Lists available models: each one that a key, a server or a file offers, and whether it answers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from inlay.errors import NoModel
from inlay.llm.models import discovery, model_names, open_model, registry
from inlay.llm.models.model_names import ModelName
from inlay.model.answer import ModelInfo
from inlay.model.settings import Settings
from inlay.storage.stores import model_files
from inlay.text.redact import without_secrets

_TIMEOUT = 3.0  # seconds for a server that is not on this machine
_MOST = 30  # models of one server; a hub offers hundreds


@dataclass(frozen=True, slots=True)
class Offer:
    info: ModelInfo
    where: str  #: an address, a file
    reachable: bool | None  #: None if not tried
    why: str  #: what makes it available: a key, a server, a downloaded file, a setting


@dataclass(frozen=True, slots=True)
class Survey:
    chosen: str | None  #: the default model
    offers: tuple[Offer, ...]


def survey(settings: Settings, environ: Mapping[str, str], *, probe: bool = True) -> Survey:
    """Look at keys, servers and files; with `probe`, ask the servers for their models, all at once."""
    chosen = settings.text("model")
    offers = []
    try:
        name = model_names.parse(chosen) if chosen else discovery.find(settings, environ).name
        if chosen:
            offers.append(_offer(settings, name, "", None, f"set by {settings.origins.get('model', 'you')}"))
        chosen = str(name)
    except NoModel:
        pass  # a name that cannot be parsed is shown as it is
    offers += _with_keys(settings, environ, probe)
    if probe:
        offers += _served(settings, environ)
    for pulled in model_files.pulled(environ):
        offers.append(_offer(settings, ModelName("local", pulled.name), pulled.path, True, "it was pulled"))
    once = {offer.info.name: offer for offer in reversed(offers)}
    return Survey(chosen, tuple(offer for offer in offers if once[offer.info.name] is offer))


def _with_keys(settings: Settings, environ: Mapping[str, str], probe: bool) -> list[Offer]:
    keys = [(environ[variable], variable, name) for variable, name in discovery.KEYS if environ.get(variable)]
    places = [_place(name.provider, settings, environ) for _, _, name in keys]

    def answers(place: str, key: str) -> bool:
        return discovery.offers(place, key, _TIMEOUT) is not None

    with ThreadPoolExecutor(max_workers=4) as pool:
        reachable = list(pool.map(answers, places, [key for key, _, _ in keys])) if probe else [None] * len(keys)
    return [
        _offer(settings, name, place, answer, f"{variable} is set")
        for (_, variable, name), place, answer in zip(keys, places, reachable, strict=True)
    ]


def _place(provider: str, settings: Settings, environ: Mapping[str, str]) -> str:
    if provider == "anthropic":
        return f"{(environ.get('ANTHROPIC_BASE_URL') or 'https://api.anthropic.com').rstrip('/')}/v1"
    if provider == "openrouter":
        return (environ.get("OPENROUTER_BASE_URL") or open_model.OPENROUTER).rstrip("/")
    return open_model.openai_url(settings, environ)


def _served(settings: Settings, environ: Mapping[str, str]) -> list[Offer]:
    servers = discovery.servers(settings, environ)
    with ThreadPoolExecutor(max_workers=len(servers)) as pool:
        offered = list(pool.map(lambda server: discovery.offers(server.base_url), servers))
    return [
        _offer(settings, ModelName(server.provider, model), server.base_url, True, f"{server.title} answers")
        for server, names in zip(servers, offered, strict=True)
        for model in (names or ())[:_MOST]
    ]


def _offer(settings: Settings, name: ModelName, where: str, reachable: bool | None, why: str) -> Offer:
    free = name.provider in ("ollama", "local")
    info, _ = registry.look_up(name, settings.table("models"), free=free)
    return Offer(info, without_secrets(where), reachable, why)
