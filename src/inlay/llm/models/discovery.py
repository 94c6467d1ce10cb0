"""Finds a model when none is named: by a key, a server on this machine, or a downloaded file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inlay.errors import NoModel
from inlay.llm.models.model_names import ModelName
from inlay.model.settings import Settings
from inlay.storage.stores import model_files
from inlay.text.redact import without_secrets

#: by the variable that has the key: the model to use with it
KEYS = (
    ("ANTHROPIC_API_KEY", ModelName("anthropic", "claude-sonnet-5-5")),
    ("OPENAI_API_KEY", ModelName("openai", "gpt-6.1-sol")),
    ("OPENROUTER_API_KEY", ModelName("openrouter", "anthropic/claude-sonnet-5.5")),
)
_TIMEOUT = 0.5  # seconds: a server on this machine answers at once or is not running
_LARGEST = 1 << 20  # bytes of a list of models
_NONE = (
    "no model is named and none was found. Three ways to get one: "
    "set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY; "
    "start a server on this machine (Ollama, llama.cpp, LM Studio, or any other with OPENAI_BASE_URL); "
    "or run `inlay model pull`, which downloads a small model to run on this machine"
)


@dataclass(frozen=True, slots=True)
class Discovered:
    name: ModelName
    why: str
    base_url: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """An address on this machine where a server may answer."""

    title: str
    provider: str
    base_url: str
    is_own: bool = False  #: whether the user named it, so that the user's key is meant for it


def find(settings: Settings, environ: Mapping[str, str], among: Sequence[Server] | None = None) -> Discovered:
    """The first of a key, a server, a pulled model; raises NoModel with the ways to get one."""
    candidates = servers(settings, environ) if among is None else among
    own = [server for server in candidates if server.is_own]
    others = [server for server in candidates if not server.is_own]
    discovered = (
        _by_key(KEYS[:1], own, environ)
        or _by_server(own, environ)  # in place of OpenAI itself
        or _by_key(KEYS[1:], own, environ)
        or _by_server(others, environ)
    )
    if discovered:
        return discovered
    if pulled := model_files.pulled(environ):
        return Discovered(ModelName("local", pulled[0].name), "it was pulled")
    raise NoModel(_NONE)


def _by_key(
    among: Sequence[tuple[str, ModelName]], own: Sequence[Server], environ: Mapping[str, str]
) -> Discovered | None:
    for variable, name in among:
        # A key for the user's own server says nothing about which models that server has.
        if environ.get(variable, "").strip() and not (own and name.provider == "openai"):
            return Discovered(name, f"{variable} is set")
    return None


def _by_server(among: Sequence[Server], environ: Mapping[str, str]) -> Discovered | None:
    for server in among:
        if offered := offers(server.base_url, environ.get("OPENAI_API_KEY") if server.is_own else None):
            why = f"{server.title} answers at {without_secrets(server.base_url)}"
            return Discovered(ModelName(server.provider, offered[0]), why, server.base_url)
    return None


def servers(settings: Settings, environ: Mapping[str, str]) -> tuple[Server, ...]:
    """Where to look for one: the configured address first, then where the usual programs listen."""
    named = settings.text("base_url") or environ.get("OPENAI_BASE_URL")
    return (
        *((Server("the server", "openai", named.rstrip("/"), is_own=True),) if named else ()),
        Server("Ollama", "ollama", ollama_url(environ)),
        Server("llama.cpp", "openai", "http://127.0.0.1:8080/v1"),
        Server("LM Studio", "openai", "http://127.0.0.1:1234/v1"),
    )


def ollama_url(environ: Mapping[str, str]) -> str:
    host = environ.get("OLLAMA_HOST", "").strip() or "127.0.0.1:11434"
    host = host if "://" in host else f"http://{host}"
    with_port = host if host.count(":") > 1 else f"{host}:11434"
    return f"{with_port.rstrip('/')}/v1"


def offers(base_url: str, key: str | None = None, timeout: float = _TIMEOUT) -> tuple[str, ...] | None:
    """The models a server offers; None where none answers."""
    import urllib.request

    class Stay(urllib.request.HTTPRedirectHandler):
        """Follow no redirect, so that a key goes only where it was meant to go."""

        def redirect_request(self, *args: object) -> None:
            return None

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        request = urllib.request.Request(f"{base_url}/models", headers=headers)
        with urllib.request.build_opener(Stay).open(request, timeout=timeout) as answer:
            listed = json.loads(answer.read(_LARGEST))
        return tuple(str(model["id"]) for model in listed["data"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
