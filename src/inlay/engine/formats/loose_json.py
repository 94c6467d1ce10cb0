"""JSON as models write it: found in the middle of text, with trailing commas and raw line breaks inside strings."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""[ \t\n]*+(?:("[^"\\]*+(?:\\.[^"\\]*+)*+")|([{\[])|([}\]])|(,)|(:)|(-?\d[\d.eE+-]*+|true\b|false\b|null\b))""",
    re.S,
)
_OPEN_STRING = re.compile(r'[ \t\n]*+"[^"\\]*+(?:\\.[^"\\]*+)*+\\?\Z', re.S)
_CUT_WORD = re.compile(r"[ \t\n]*+[a-z]{0,5}\Z")
_DEEPEST = 16  # edits nest six deep at most, and a bound keeps nonsense cheap
_MOST_TOKENS = 2_000_000  # more than the edits of a reply can have
_PAIRS = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value found in text; `end` is the offset behind it."""

    value: object
    end: int


@dataclass(frozen=True, slots=True)
class Open:
    """JSON that the text breaks off; `repaired` is what its complete elements make up."""

    complete: object | None


@dataclass(frozen=True, slots=True)
class Faulty:
    """Something that begins like JSON but is not."""

    reason: str
    end: int


def value_at(text: str, start: int) -> Value | Open | Faulty:
    """The object or array that begins at an offset."""
    commas: list[int] = []
    closers: list[str] = []
    pending = -1  # offset of a comma that nothing but blanks has followed so far
    whole: tuple[int, str] | None = None  # where the last complete element of an array ended
    at, tokens = start, 0
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            return _broken_off(text, at, start, commas, whole)
        at = found.end()
        kind = found.lastindex
        if kind == 2:
            closers.append(_PAIRS[found.group(2)])
        elif kind == 3:
            if closers.pop() != found.group(3):
                return Faulty("its brackets do not match", at)
            commas += [pending] if pending >= 0 else []
            if not closers:
                loaded = _loads(_without(text, start, at, commas))
                return Value(loaded.value, at) if isinstance(loaded, Value) else Faulty(loaded.reason, at)
            if found.group(3) == "}" and closers[-1] == "]":
                whole = at, "".join(reversed(closers))
        pending = found.start(4) if kind == 4 else -1
        tokens += 1
        if len(closers) > _DEEPEST or tokens > _MOST_TOKENS:
            return Faulty("it nests too deep" if len(closers) > _DEEPEST else "it has too many values", at)


def _broken_off(text: str, at: int, start: int, commas: list[int], whole: tuple[int, str] | None) -> Open | Faulty:
    if not _OPEN_STRING.match(text, at) and not _CUT_WORD.match(text, at):
        return Faulty("it is no JSON", at)
    if whole is None:
        return Open(None)
    loaded = _loads(_without(text, start, whole[0], commas) + whole[1])
    return Open(loaded.value if isinstance(loaded, Value) else None)


def _without(text: str, start: int, end: int, commas: list[int]) -> str:
    edges = [start, *(edge for comma in commas if comma < end for edge in (comma, comma + 1)), end]
    return "".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))


def _loads(text: str) -> Value | Faulty:
    try:
        return Value(json.loads(text, strict=False, object_pairs_hook=_without_duplicates), len(text))
    except (ValueError, RecursionError) as error:
        return Faulty(str(error)[:200], len(text))


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return out
