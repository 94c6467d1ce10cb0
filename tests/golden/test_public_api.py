"""The public names of the package: each with its kind and signature, without the modules in which they are.

How golden files are rewritten is described in `test_json_output.py`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import inlay
from inlay import tools

from .golden import FOLDER, check_text

_SPECIAL = (
    "__bool__",
    "__call__",
    "__contains__",
    "__enter__",
    "__exit__",
    "__getitem__",
    "__iter__",
    "__len__",
    "__str__",
)
_MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=\w)")
_CLASS = re.compile(r"<(?:class|enum|function) '?([\w.]+)'?(?: at 0x[0-9a-f]+)?>")


def plain(text: object) -> str:
    """A type or a value without its module."""
    return _MODULE.sub("", _CLASS.sub(r"\1", text if isinstance(text, str) else repr(text))).replace("'", '"')


def shown(value: object) -> str:
    return repr(value) if isinstance(value, str) else plain(value)


def annotation(value: object) -> str:
    if value is inspect.Signature.empty:
        return ""
    return plain(value.__qualname__ if isinstance(value, type) and not hasattr(value, "__args__") else value)


def signature(function: Any) -> str:
    found = inspect.signature(function)
    return f"({', '.join(parameters(found))}){' -> ' + end if (end := annotation(found.return_annotation)) else ''}"


def parameters(found: inspect.Signature) -> Iterator[str]:
    """As in source code, with the marks for what is passed by position or by name only."""
    kind = inspect.Parameter
    stars = {kind.VAR_POSITIONAL: "*", kind.VAR_KEYWORD: "**"}
    is_marked = False
    for parameter in found.parameters.values():
        if parameter.kind is kind.KEYWORD_ONLY and not is_marked:
            yield "*"
        is_marked = is_marked or parameter.kind in (kind.KEYWORD_ONLY, kind.VAR_POSITIONAL)
        text = stars.get(parameter.kind, "") + parameter.name
        if note := annotation(parameter.annotation):
            text += f": {note}"
        if parameter.default is not kind.empty:
            text += f" = {shown(parameter.default)}"
        yield text + (" (by position)" if parameter.kind is kind.POSITIONAL_ONLY else "")


def described(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield from described_class(name, value)
    elif inspect.isasyncgenfunction(value):
        yield f"async generator {name}{signature(value)}"
    elif inspect.iscoroutinefunction(value):
        yield f"async function {name}{signature(value)}"
    elif inspect.isfunction(value):
        yield f"function {name}{signature(value)}"
    elif isinstance(value, Mapping):
        yield f"mapping {name}: {', '.join(value)}"
    elif isinstance(value, str):
        yield f"text {name}"
    else:
        yield f"alias {name} = {plain(value)}"


def described_class(name: str, value: type) -> Iterator[str]:
    # A base that is not public may be renamed; what it gives is among the members.
    bases = ", ".join(base.__name__ for base in value.__bases__ if is_public(base))
    kind = "dataclass" if is_dataclass(value) else "class"
    yield f"{kind} {name}({bases})"
    if is_dataclass(value):
        params = value.__dataclass_params__
        yield f"    frozen={params.frozen} order={params.order} slots={'__slots__' in vars(value)}"
        for field in fields(value):
            default = "" if field.default is MISSING else f" = {shown(field.default)}"
            default = default if field.default_factory is MISSING else f" = {annotation(field.default_factory)}()"
            yield f"    {field.name}: {annotation(field.type)}{default}{' (by name)' if field.kw_only else ''}"
    elif "__init__" in vars(value) and not getattr(value, "_is_protocol", False):
        yield f"    __init__{signature(value.__init__)}"
    yield from members(value)


def own(value: type, name: str) -> bool:
    return any(name in vars(base) for base in value.__mro__ if base.__module__.startswith("inlay"))


def is_public(base: type) -> bool:
    return base is not object and (not base.__module__.startswith("inlay") or base.__name__ in inlay.__all__)


def members(value: type) -> Iterator[str]:
    """What is public of a class and its bases, dataclass fields apart."""
    named = {field.name for field in fields(value)} if is_dataclass(value) else set()
    names = {name for name in dir(value) if not name.startswith("_")} | {name for name in _SPECIAL if own(value, name)}
    for name in sorted(names - named):
        member = inspect.getattr_static(value, name)
        if any(name in vars(base) for base in value.__mro__ if base.__module__ == "builtins"):
            continue
        if isinstance(member, property) or type(member).__name__ == "cached_property":
            getter = member.fget if isinstance(member, property) else member.func
            yield f"    property {name}: {annotation(inspect.signature(getter).return_annotation)}"
        elif isinstance(member, classmethod | staticmethod):
            yield f"    {type(member).__name__} {name}{signature(member.__func__)}"
        elif inspect.isroutine(member):
            prefix = "async " if inspect.iscoroutinefunction(member) else ""
            yield f"    {prefix}method {name}{signature(member)}"
        elif isinstance(member, bool | int | float | str | tuple):
            yield f"    {name} = {shown(member)}"
        else:
            yield f"    {name}: {type(member).__name__}"


def api(module: Any) -> str:
    return "".join(f"{line}\n" for name in sorted(module.__all__) for line in described(name, getattr(module, name)))


def test_public_names_are_as_in_the_golden_file() -> None:
    check_text(FOLDER / "public_api.txt", api(inlay))


def test_names_of_the_tools_are_as_in_the_golden_file() -> None:
    check_text(FOLDER / "public_api_tools.txt", api(tools))
