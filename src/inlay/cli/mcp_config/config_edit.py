"""One server written into a configuration, everything else left as it is; or refused where that cannot be sure."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from inlay.errors import EnvironmentFailure

_INDENT = re.compile(r"\n([ \t]+)\"")


def into_json(text: str | None, key: str, name: str, entry: dict[str, Any]) -> str:
    """The configuration with the entry; raises where it is not plain JSON, which rewriting would damage."""
    told = _parsed(text)
    servers = told.setdefault(key, {})
    if not isinstance(servers, dict):
        raise EnvironmentFailure(f"{key!r} is not an object there")
    servers[name] = entry
    found = _INDENT.search(text or "")
    ending = "\r\n" if "\r\n" in (text or "") else "\n"
    written = json.dumps(told, indent=found[1] if found else 2, ensure_ascii=False)
    return written.replace("\n", ending) + ending


def _parsed(text: str | None) -> dict[str, Any]:
    if text is None or not text.strip():
        return {}
    try:
        told = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        raise EnvironmentFailure(
            f"it is not plain JSON ({error}), perhaps it holds comments; add the entry by hand"
        ) from None
    if not isinstance(told, dict):
        raise EnvironmentFailure("it is JSON, but no object")
    return told


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("a key stands there twice")
    return told


def into_toml(text: str | None, key: str, name: str, entry: dict[str, Any]) -> str:
    """The same for TOML, by lines, so that comments stay; the result is read back and compared."""
    text = text or ""
    before = _toml(text)
    servers = before.get(key, {})
    table = [f"[{key}.{name}]", *(f"{field} = {json.dumps(value)}" for field, value in entry.items())]
    lines = text.split("\n")
    if name in servers:
        lines = _replaced(lines, key, name, table)
    else:
        lines = [*_trimmed(lines), *([""] if text.strip() else []), *table, ""]
    written = "\n".join(lines)
    kept = {**before, key: {**servers, name: entry}}
    if _toml(written) != kept:
        raise EnvironmentFailure(
            "the entry stands there in a way that cannot be changed for certain; change it by hand"
        )
    return written


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EnvironmentFailure(f"it is not TOML that can be read ({error}); add the entry by hand") from None


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _replaced(lines: list[str], key: str, name: str, table: list[str]) -> list[str]:
    """The table's own lines exchanged; comments below them belong to what follows."""
    head = re.compile(rf"\s*\[\s*{re.escape(key)}\s*\.\s*(?:{re.escape(name)}|\"{re.escape(name)}\")\s*\]")
    start = next((n for n, line in enumerate(lines) if head.match(line)), None)
    if start is None:
        return lines
    end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return [*lines[:start], *table, *lines[end:]]
