"""Adds a server to a configuration and leaves everything else as it is; refuses where that is not certain."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from inlay.errors import EnvironmentFailure

_INDENT = re.compile(r"\n([ \t]+)\"")


def into_json(text: str | None, key: str, name: str, entry: dict[str, Any]) -> str:
    """The configuration with the entry; raises where it is not plain JSON, which rewriting would damage."""
    text = text or ""
    config = _parse_json(text)
    servers = config.setdefault(key, {})
    if not isinstance(servers, dict):
        raise EnvironmentFailure(f"{key!r} is not an object in it")
    servers[name] = entry
    indent = _INDENT.search(text)
    ending = "\r\n" if "\r\n" in text else "\n"
    written = json.dumps(config, indent=indent[1] if indent else 2, ensure_ascii=False)
    return written.replace("\n", ending) + ending


def _parse_json(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        config = json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        message = f"it is not plain JSON ({error}), perhaps because of comments; add the entry by hand"
        raise EnvironmentFailure(message) from None
    if not isinstance(config, dict):
        raise EnvironmentFailure("it is JSON, but not an object")
    return config


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def into_toml(text: str | None, key: str, name: str, entry: dict[str, Any]) -> str:
    """The same for TOML, edited by lines to keep comments; the result is parsed and compared."""
    text = text or ""
    before = _parse_toml(text)
    servers = before.get(key, {})
    table = [f"[{key}.{name}]", *(f"{field} = {json.dumps(value)}" for field, value in entry.items())]
    lines = text.split("\n")
    if name in servers:
        lines = _replace_table(lines, key, name, table)
    else:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += [*([""] if lines else []), *table, ""]
    written = "\n".join(lines)
    if _parse_toml(written) != {**before, key: {**servers, name: entry}}:
        raise EnvironmentFailure("the existing entry cannot be changed safely; change it by hand")
    return written


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EnvironmentFailure(f"it is not valid TOML ({error}); add the entry by hand") from None


def _replace_table(lines: list[str], key: str, name: str, table: list[str]) -> list[str]:
    """Replace the table's own lines; comments below them belong to what follows."""
    head = re.compile(rf"\s*\[\s*{re.escape(key)}\s*\.\s*(?:{re.escape(name)}|\"{re.escape(name)}\")\s*\]")
    start = next((n for n, line in enumerate(lines) if head.match(line)), None)
    if start is None:
        return lines
    end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return [*lines[:start], *table, *lines[end:]]
