"""Undoes the slips that models make in arguments: another tool's name for a key, a list handed over as a string."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inlay.engine.formats.json_objects import NEWS, OLDS, PATHS
from inlay.tools.tool import Schema

_SAME = (PATHS, OLDS, NEWS, ("replace_all", "replaceAll"), ("content", "file_text", "contents"))


def canonical_arguments(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The arguments as the schema calls them; what is no known slip stays as it is and is judged later."""
    known: Mapping[str, Schema] = schema.get("properties", {})
    found: dict[str, Any] = {}
    for key, value in arguments.items():
        name = _canonical(key, known, arguments)
        found[name] = _value(value, known[name]) if name in known else value
    return found


def _canonical(key: str, known: Mapping[str, Schema], arguments: Mapping[str, Any]) -> str:
    """The schema's own name for a key, unless that is there as well and the two could disagree."""
    if key in known:
        return key
    for names in _SAME:
        if key in names:
            meant = [name for name in names if name in known]
            if len(meant) == 1 and meant[0] not in arguments:
                return meant[0]
    return key


def _value(value: Any, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "array":
        return [_value(item, schema.get("items", {})) for item in _as_list(value)]
    if kind == "object" and isinstance(value, dict):
        return canonical_arguments(value, schema) if "properties" in schema else value
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    return list(value) if isinstance(value, list | tuple) else [value]
