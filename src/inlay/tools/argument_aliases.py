"""Corrects unambiguous mistakes in arguments: another tool's name for a key, a list sent as a string."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import Any

from inlay.engine.formats.json_objects import NEWS, OLDS, PATHS
from inlay.tools.tool import Schema

_ALIASES = (PATHS, OLDS, NEWS, ("replace_all", "replaceAll"), ("content", "file_text", "contents"))


def canonical_arguments(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The arguments under the schema's names; anything else that is wrong is left for validation."""
    properties: Mapping[str, Schema] = schema.get("properties", {})
    names = {key: _canonical_name(key, properties, arguments) for key in arguments}
    return {name: _value(arguments[key], properties.get(name, {})) for key, name in names.items()}


def _canonical_name(key: str, properties: Mapping[str, Schema], arguments: Mapping[str, Any]) -> str:
    """The schema's name for a key, unless that name is given as well and the two could disagree."""
    if key in properties:
        return key
    for names in _ALIASES:
        if key in names:
            meant = [name for name in names if name in properties]
            if len(meant) == 1 and meant[0] not in arguments:
                return meant[0]
    return key


def _value(value: Any, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "array":
        if isinstance(value, str):
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(value)
        items = value if isinstance(value, list | tuple) else [value]
        return [_value(item, schema.get("items", {})) for item in items]
    if kind == "object" and isinstance(value, dict) and "properties" in schema:
        return canonical_arguments(value, schema)
    return value
