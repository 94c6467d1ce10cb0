"""How many tokens a text takes: counted where the model's tokenizer is installed, else an upper estimate."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TypeAlias

from inlay.model.answer import ModelInfo

Counter: TypeAlias = Callable[[str], int]
Measure: TypeAlias = Callable[[bytes], int]

_MOST_AT_ONCE = 50_000  # characters, which are 200,000 tokens at the very most: a tokenizer refuses more
_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")


def counter(info: ModelInfo) -> Counter:
    """Counts the tokens of a text as this model does, or estimates them."""
    measured = measure(info)
    return lambda text: measured(text.encode("utf-8", "replace"))


def measure(info: ModelInfo | None) -> Measure:
    """Counts the tokens of bytes as they will be sent; without a model, a third of a token for every byte."""
    if info is None:
        return plain
    match info.tokenizer:
        case "o200k" if is_exact(info):
            return _decoded(_o200k())
        case "claude" if is_exact(info):
            return _decoded(_claude(_claude_version(info.name)))
        case _:
            return estimate(info)


def is_exact(info: ModelInfo | None) -> bool:
    """Whether the model's own tokenizer is installed."""
    package = {"o200k": "bpe_openai", "claude": "ctok"}.get(info.tokenizer, "") if info else ""
    return bool(package) and find_spec(package) is not None


@dataclass(frozen=True, slots=True)
class Weights:
    """Tokens per byte of each kind, fitted to real diffs, and by how much the fit may fall short."""

    blank: float
    word: float  #: lower-case letters and line ends
    foreign: float  #: what is not ASCII
    dense: float  #: capitals, digits, punctuation: keys, hashes and paths of pictures consist of them
    headroom: float

    def __call__(self, data: bytes) -> int:
        blank = data.count(b" ")
        dense = len(data) - len(data.translate(None, _DENSE))
        foreign = 0 if data.isascii() else len(data) - len(data.translate(None, _FOREIGN))
        word = len(data) - blank - dense - foreign
        weighed = self.blank * blank + self.word * word + self.foreign * foreign + self.dense * dense
        return math.ceil(weighed * self.headroom)


_DENSE = bytes(code for code in range(33, 127) if not 97 <= code <= 122)
_FOREIGN = bytes(range(128, 256))
# Of 10,163 pieces of real diffs none takes more tokens than this says, most take half to two thirds of it.
_CLAUDE_NOW = Weights(0.100, 0.343, 0.500, 0.946, 1.45)
_CLAUDE_BEFORE = Weights(0.077, 0.253, 0.500, 0.796, 1.65)  # up to 4.6
_O200K = Weights(0.051, 0.199, 0.400, 0.657, 2.0)
_UNKNOWN = _CLAUDE_NOW  # no tokenizer in use is known to take more


def estimate(info: ModelInfo) -> Measure:
    """An upper bound that looks at kinds of characters; a flat rate is wrong by half for hashes and pictures."""
    if info.tokenizer == "o200k":
        return _O200K
    if info.tokenizer != "claude":
        return _UNKNOWN
    version = tuple(map(int, _claude_version(info.name).split(".")))
    return _CLAUDE_BEFORE if version < (4, 7) else _CLAUDE_NOW


def plain(data: bytes) -> int:
    """Three bytes a token, rounded up: the measure of `--budget` without a model."""
    return -(-len(data) // 3)


def _decoded(count: Counter) -> Measure:
    def counted(data: bytes) -> int:
        text = data.decode("utf-8", "replace")
        return count(text) if len(text) <= _MOST_AT_ONCE else sum(map(count, _stretches(text)))

    return counted


def _stretches(text: str) -> list[str]:
    """Parts that end with a line where there is one; a token hardly ever reaches beyond."""
    parts, at = [], 0
    while at < len(text):
        end = text.rfind("\n", at, at + _MOST_AT_ONCE) + 1 if len(text) - at > _MOST_AT_ONCE else len(text)
        end = end if end > at else at + _MOST_AT_ONCE
        parts.append(text[at:end])
        at = end
    return parts


@cache
def _o200k() -> Counter:
    with warnings.catch_warnings():
        # It reads its data in a deprecated way.
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding

        encoding = get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


@cache
def _claude(version: str) -> Counter:
    from ctok import token_count

    frame = token_count("", version)  # what a message takes beside its text
    return lambda text: int(token_count(text, version)) - frame


def _claude_version(name: str) -> str:
    match = _VERSION.search(name)
    return f"{match[1]}.{match[2] or 0}" if match else "4.8"
