"""What is known about each model: from the user's own table, else from ours, else safe guesses that say so."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import resources
from typing import Any

from inlay.errors import EnvironmentFailure
from inlay.llm.models.model_names import ModelName
from inlay.model.answer import ModelInfo

#: Small enough for any model in use, and enough for an edit; whoever has more says so in their settings.
SAFE = ModelInfo("", context=32_768, max_output=4_096, known=False)
_FREE = {"input_price": 0.0, "output_price": 0.0, "cache_read_price": None, "cache_write_price": None}
_KINDS: dict[str, tuple[type, ...]] = {
    "context": (int,),
    "max_output": (int,),
    "input_price": (int, float),
    "output_price": (int, float),
    "cache_read_price": (int, float),
    "cache_write_price": (int, float),
    "format": (str,),
    "good_at_json": (bool,),
    "tokenizer": (str,),
}
_TOKENIZERS = ("claude", "o200k", "estimate")


def look_up(name: ModelName, own: Mapping[str, object], *, free: bool = False) -> tuple[ModelInfo, tuple[str, ...]]:
    """What is known about a model, and what a person should know about that; `free` models cost nothing."""
    ours, theirs = _best(table(), _names(name)), _best(own, _names(name))
    said = dict(ours[1]) | (_FREE if free else {}) | _checked(*theirs)
    known = bool(ours[1] or theirs[1])
    info = replace(SAFE, name=str(name), known=known, **said)
    if info.max_output > info.context:
        info = replace(info, max_output=info.context // 2)
    return info, () if known else (_guessed(info),)


def is_listed(name: ModelName) -> bool:
    """Whether our own table knows a model."""
    return bool(_best(table(), _names(name))[0])


def _guessed(info: ModelInfo) -> str:
    price = "an unknown price" if info.input_price is None else "no price"
    return (
        f"{info.name} is not in the table of models: taken to hold {info.context:,} tokens, to answer with at most "
        f'{info.max_output:,}, at {price}; say otherwise in your settings under [models."{info.name}"]'
    )


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """Our own table, by name."""
    text = resources.files("inlay.llm.models").joinpath("models.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _names(name: ModelName) -> tuple[str, ...]:
    """What a model may be listed as, the most definite first."""
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


def _checked(name: str, said: object) -> dict[str, Any]:
    """An entry of the user's own table; raises where it says what cannot be."""
    if not isinstance(said, Mapping):
        raise EnvironmentFailure(f"models.{name} must be a table")
    for key, value in said.items():
        if key not in _KINDS:
            raise EnvironmentFailure(f"models.{name}.{key} is no setting; there are {', '.join(_KINDS)}")
        wrong = not isinstance(value, _KINDS[key]) or (isinstance(value, bool) and bool not in _KINDS[key])
        if wrong or (isinstance(value, (int, float)) and value < 0):
            raise EnvironmentFailure(f"models.{name}.{key} cannot be {value!r}")
    if said.get("tokenizer", "estimate") not in _TOKENIZERS:
        raise EnvironmentFailure(f"models.{name}.tokenizer must be one of {', '.join(_TOKENIZERS)}")
    return dict(said)


assert _KINDS.keys() < {field.name for field in fields(ModelInfo)}
