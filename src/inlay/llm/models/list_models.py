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
    """One available model."""

    info: ModelInfo
    where: str  #: an address, a file
    reachable: bool | None  #: None if not tried
    why: str  #: what makes it available: a key, a server, a downloaded file, a setting


@dataclass(frozen=True, slots=True)
class Survey:
    """All available models, and the default one."""

    chosen: str | None
    offers: tuple[Offer, ...]


def survey(settings: Settings, environ: Mapping[str, str], *, probe: bool = True) -> Survey:
    """Look at keys, servers and files; with `probe`, ask the servers for their models, all at once."""
    found = [*_named(settings), *_with_keys(settings, environ, probe)]
    if probe:
        found += _served(settings, environ)
    found += _pulled(settings, environ)
    once = {offer.info.name: offer for offer in reversed(found)}
    return Survey(_chosen(settings, environ), tuple(offer for offer in found if once[offer.info.name] is offer))


def _chosen(settings: Settings, environ: Mapping[str, str]) -> str | None:
    given = settings.text("model")
    try:
        return str(model_names.parse(given) if given else discovery.find(settings, environ).name)
    except NoModel:
        return given


def _named(settings: Settings) -> list[Offer]:
    given = settings.text("model")
    if not given:
        return []
    try:
        return [_offer(settings, model_names.parse(given), "", None, f"set by {settings.origins.get('model', 'you')}")]
    except NoModel:
        return []


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


def _pulled(settings: Settings, environ: Mapping[str, str]) -> list[Offer]:
    return [
        _offer(settings, ModelName("local", each.name), each.path, True, "it was pulled")
        for each in model_files.pulled(environ)
    ]


def _offer(settings: Settings, name: ModelName, where: str, reachable: bool | None, why: str) -> Offer:
    free = name.provider in ("ollama", "local")
    info, _ = registry.look_up(name, settings.table("models"), free=free)
    return Offer(info, without_secrets(where), reachable, why)
