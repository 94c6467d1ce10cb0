"""How new content joins an existing file: append, insert, replace or extend, each in a file of its own."""

from __future__ import annotations

from dataclasses import replace as altered
from types import MappingProxyType
from typing import TypeAlias, assert_never

from inlay.engine.merging.merged import Merged
from inlay.errors import MergeRefused
from inlay.model.decision import MergeStrategy
from inlay.model.file import RepoPath

Strategy: TypeAlias = MergeStrategy

STRATEGIES = MappingProxyType(
    {
        "append": "add the new content after the end of the file",
        "insert": "put the new content before a given line",
        "replace": "give the file wholly new content, in its own style of line endings",
        "extend": "add new methods, fields, imports and functions to the classes and the module that are there",
    }
)


def merge(
    strategy: Strategy,
    existing: str,
    new: str,
    *,
    path: RepoPath,
    line: int | None = None,
    replace_existing: bool = False,
) -> Merged:
    """The existing text joined with the new by one of the `STRATEGIES`.

    Raises MergeRefused where the result would not be certain. `line` serves insert, `replace_existing` extend.
    """
    try:
        return _merge(strategy, existing, new.removeprefix("\ufeff"), path, line, replace_existing)
    except MergeRefused as refused:
        raise MergeRefused(*(altered(misfit, path=str(path)) for misfit in refused.misfits)) from None


def _merge(strategy: Strategy, existing: str, new: str, path: RepoPath, line: int | None, replacing: bool) -> Merged:
    # Each strategy loads on first use: extend brings parsers along.
    match strategy:
        case "append":
            from inlay.engine.merging.append import append

            return append(existing, new)
        case "insert":
            from inlay.engine.merging.insert import insert

            return insert(existing, new, line)
        case "replace":
            from inlay.engine.merging.replace import replace

            return replace(existing, new)
        case "extend":
            from inlay.engine.merging.extend.extend import extend

            return extend(existing, new, path=path, replacing=replacing)
        case _:
            assert_never(strategy)
