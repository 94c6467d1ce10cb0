"""How new content joins an existing file: append, insert, replace or extend, each in a file of its own."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias, assert_never

from inlay.engine.merging.line_changes import LineChange, endings, split, written
from inlay.engine.merging.merged import Merged, refusal
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
    new = new.removeprefix("\ufeff")
    try:
        match strategy:
            case "append":
                return _insert(existing, new, len(split(existing)) + 1)
            case "insert":
                return _insert(existing, new, line)
            case "replace":
                return _replace(existing, new)
            case "extend":
                # On first use only, because it brings parsers along.
                from inlay.engine.merging.extend.extend import extend

                return extend(existing, new, path=path, replacing=replace_existing)
            case _:
                assert_never(strategy)
    except MergeRefused as refused:
        raise MergeRefused(*(replace(misfit, path=str(path)) for misfit in refused.misfits)) from None


def _insert(existing: str, new: str, line: int | None) -> Merged:
    """The new lines before 1-based `line`; one more than there are lines means after the last, which is ended first."""
    count = len(split(existing))
    if line is None:
        raise refusal("line-missing", "inserting needs a line number", f"Give a line from 1 to {count + 1}.")
    if not 1 <= line <= count + 1:
        has = f"the file has {count} line{'' if count == 1 else 's'}"
        advice = f"Give a line from 1 to {count + 1}; {count + 1} means after the last."
        raise refusal("line-outside", f"there is no line {line} to insert before: {has}", advice)
    if not existing or not new:
        return Merged(existing or new)
    return Merged(written(existing, [LineChange(line - 1, line - 1, tuple(split(new)))]))


def _replace(existing: str, new: str) -> Merged:
    """The new lines, ended as most of the old ones were; a final newline that was absent stays absent."""
    if not existing or not new:
        return Merged(new)
    found = endings(existing)
    # Equally frequent endings: sorting makes the choice the same every time, and "\n" the first.
    ending = max(sorted(found), key=lambda each: found[each], default="\n")
    final = ending if existing[-1] in "\r\n" else ""
    notes = ("the file mixed line endings; the new content uses the most frequent one",) if len(found) > 1 else ()
    return Merged(ending.join(split(new)) + final, notes)
