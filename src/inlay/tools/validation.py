"""Holds arguments against a tool's schema; knows as much of JSON Schema as the tools' own schemas use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inlay.tools.tool import Schema

_MOST = 5  # problems told; the first few are enough to mend a call
_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def problems(arguments: object, schema: Schema) -> list[str]:
    """What is wrong with the arguments, the first few things in words."""
    found = _problems(arguments, schema, "the arguments")
    return [problem for problem, _ in zip(found, range(_MOST), strict=False)]


def _problems(value: object, schema: Schema, where: str) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} must be one of {', '.join(map(str, schema['enum']))}"
        return
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{where} must be {' or '.join(kinds)}, not {_named(value)}"
        return
    match value:
        case dict():
            yield from _of_object(value, schema, where)
        case list() | tuple():
            yield from _of_array(value, schema, where)
        case str() | int():
            yield from _of_bounds(value, schema, where)


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool) and kind == "integer":
        return False
    return isinstance(value, _KINDS[kind])


def _named(value: object) -> str:
    return next((kind for kind in _KINDS if _is(value, kind)), "number" if isinstance(value, float) else "that")


def _of_object(value: Mapping[Any, Any], schema: Schema, where: str) -> Iterator[str]:
    known: Mapping[str, Schema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}: {name!r} is missing"
    for name, inner in value.items():
        if name in known:
            yield from _problems(inner, known[name], _step(where, str(name)))
        elif schema.get("additionalProperties", True) is False:
            yield f"{where}: there is no {str(name)[:60]!r}; known are {', '.join(known)}"


def _of_array(value: list[Any] | tuple[Any, ...], schema: Schema, where: str) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"{where} must not be empty"
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{where} holds {len(value)} items, and {schema['maxItems']} is the most"
    for number, item in enumerate(value, 1):
        yield from _problems(item, schema.get("items", {}), f"{where}[{number}]")


def _of_bounds(value: str | int, schema: Schema, where: str) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            yield f"{where} must not be {'empty' if not value else 'so short'}"
        if len(value) > schema.get("maxLength", len(value)):
            yield f"{where} is longer than {schema['maxLength']} characters"
    elif not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{where} must be at least {schema.get('minimum', 0)} and is {value}"


def _step(where: str, name: str) -> str:
    return name if where == "the arguments" else f"{where}.{name}"
