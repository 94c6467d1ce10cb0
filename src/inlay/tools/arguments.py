"""Arguments of tools as types: each makes the JSON Schema that a model sees and converts what the model sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Schema, Tool

_MOST_PROBLEMS = 5
_OMITTED = ("title", "default")  # some providers refuse them


class ToolArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tool takes; a field without a default is required."""


FilePath = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4096,
        description="Path of the file, relative to the project's root, with forward slashes.",
    ),
]
ContentHash = Annotated[
    str,
    Meta(
        min_length=8,
        max_length=64,
        description="The `hash` that read_file or an earlier call gave for this file. "
        "When the file has changed since, nothing is written.",
    ),
]
ARGUMENTS: dict[str, type[ToolArguments]] = {}  #: by name of the tool
_Arguments = TypeVar("_Arguments", bound=ToolArguments)


class InvalidArguments(ValueError):
    """Arguments that do not fit their type; the message lists the first problems."""


def tool(
    title: str,
    description: str,
    arguments: type[ToolArguments],
    *,
    example: str,
    output: Schema = schemas.LANDED,
    read_only: bool = False,
) -> Callable[[Callable[[Call], dict[str, Any]]], Tool]:
    """Make a function the tool of its name; one that is not read-only may remove or replace content."""

    def define(run: Callable[[Call], dict[str, Any]]) -> Tool:
        ARGUMENTS[run.__name__] = arguments
        annotations = Annotations(read_only=read_only, destructive=not read_only, idempotent=read_only)
        return Tool(run.__name__, title, description, input_schema(arguments), output, annotations, run, example)

    return define


@cache
def input_schema(type_: type[ToolArguments]) -> Schema:
    """The JSON Schema of a type, without references, which not every provider resolves."""
    schema = msgspec.json.schema(type_)
    return cast("Schema", _inlined(schema, schema["$defs"]))


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    match schema:
        case {"$ref": reference}:
            return _inlined(definitions[reference.rpartition("/")[2]], definitions)
        case {"anyOf": [only, {"type": "null"}]}:
            return _inlined(only, definitions)  # null is accepted, but a model should omit the argument
        case {"properties": properties}:
            inlined = {name: _inlined(inner, definitions) for name, inner in properties.items()}
            return {**{key: value for key, value in schema.items() if key not in _OMITTED}, "properties": inlined}
        case {}:
            return {key: _inlined(value, definitions) for key, value in schema.items() if key not in _OMITTED}
        case _:
            return schema


def convert(arguments: object, type_: type[_Arguments]) -> _Arguments:
    """The arguments as their type, unambiguous mistakes corrected; raises InvalidArguments."""
    from inlay.tools.argument_aliases import canonical_arguments

    if not isinstance(arguments, Mapping):
        raise InvalidArguments("the arguments must be a JSON object")
    schema = input_schema(type_)
    given = canonical_arguments(arguments, schema)
    fields = {field.encode_name: field for field in msgspec.structs.fields(type_)}
    unknown = [f"there is no argument {str(name)[:60]!r}" for name in given if name not in fields]
    problems = [*unknown, *([f"the arguments are {', '.join(fields)}"] if unknown else [])]
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name not in given and field.required:
            problems.append(f"the argument {name!r} is missing")
        elif given.get(name) is not None or field.required:  # some clients send null for an omitted argument
            try:
                values[field.name] = msgspec.convert(given[name], field.type, strict=False)
            except msgspec.ValidationError as error:
                problem, _, place = str(error).partition(" - at ")
                choices = schema["properties"][name].get("enum", ())
                problem = f"use one of {', '.join(choices)}" if choices else f"{problem[0].lower()}{problem[1:]}"
                problems.append(f"{place.replace('$', name).replace('`', '') or name}: {problem}")
    if problems:
        raise InvalidArguments("; ".join(problems[:_MOST_PROBLEMS]))
    return type_(**values)
