"""What is known about each model: from the user's own table, else from the built-in one, else safe guesses."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from inlay.errors import EnvironmentFailure
from inlay.llm.models.model_names import ModelName
from inlay.model.answer import ModelInfo

#: Small enough for any model in use, and enough for an edit; users can set more in their settings.
SAFE = ModelInfo("", context=32_768, max_output=4_096, known=False)
_FREE = {"input_price": 0.0, "output_price": 0.0, "cache_read_price": None, "cache_write_price": None}
_SETTINGS = tuple(field.name for field in fields(ModelInfo) if field.name not in ("name", "known"))


def look_up(name: ModelName, own: Mapping[str, object], *, free: bool = False) -> tuple[ModelInfo, tuple[str, ...]]:
    """What is known about a model, and notes on that for the user; `free` models cost nothing."""
    built_in, users = _best(table(), _names(name)), _best(own, _names(name))
    entry = dict(built_in[1]) | (_FREE if free else {}) | _checked(*users)
    known = bool(built_in[1] or users[1])
    info = replace(SAFE, name=str(name), known=known, **entry)
    if info.max_output > info.context:
        info = replace(info, max_output=info.context // 2)
    if known:
        return info, ()
    price = "an unknown price" if info.input_price is None else "no price"
    note = (
        f"{info.name} is not in the table of models: assuming {info.context:,} tokens in all, {info.max_output:,} for "
        f'the answer, and {price}; set other values in your settings under [models."{info.name}"]'
    )
    return info, (note,)


def is_listed(name: ModelName) -> bool:
    """Whether the built-in table has a model."""
    return bool(_best(table(), _names(name))[0])


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("inlay.llm.models").joinpath("models.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _names(name: ModelName) -> tuple[str, ...]:
    """The names under which a model may be listed, the most specific first."""
    bare = name.model.rsplit("/", 1)[-1].removesuffix(".gguf").lower()
    # OpenRouter writes a version of Claude with a dot, Ollama a size after a colon.
    dashed = bare.replace(".", "-") if bare.startswith("claude") else bare
    return tuple(dict.fromkeys((str(name), name.model, bare, dashed, bare.replace(":", "-"))))


def _best(among: Mapping[str, Any], names: Iterable[str]) -> tuple[str, Mapping[str, Any]]:
    """The entry with exactly one of these names, else the one with the longest name that one of them begins with."""
    names = tuple(names)
    for name in names:
        if name in among:
            return name, among[name]
    begun = [key for key in among if any(name.startswith(key) for name in names)]
    best = max(begun, key=len, default="")
    return best, among[best] if best else {}


def _checked(name: str, entry: object) -> dict[str, Any]:
    """An entry of the user's own table; raises where a value is not possible."""
    if not isinstance(entry, Mapping):
        raise EnvironmentFailure(f"models.{name} must be a table")
    for key, value in entry.items():
        if key not in _SETTINGS:
            raise EnvironmentFailure(f"models.{name}.{key} is not a setting; there are {', '.join(_SETTINGS)}")
        if isinstance(value, int | float) and value < 0:
            raise EnvironmentFailure(f"models.{name}.{key} cannot be {value!r}")
    try:
        msgspec.convert({"name": "", "context": 0, "max_output": 0, **entry}, ModelInfo)
    except msgspec.ValidationError as error:
        raise EnvironmentFailure(f"models.{name}: {error}") from None
    return dict(entry)
