"""Confines an answer to the files of its task: no other file is changed, whatever the model answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from inlay.engine.formats import FORMATS, read
from inlay.errors import EditsRefused, Misfit, PathTraversalError
from inlay.model.edit import Part, Reading, Update
from inlay.model.file import RepoPath
from inlay.storage.paths import path_names

_ADVICE = "Change only the files that were given as files to change, and name them as they were named."


def confine(
    reading: Reading, allowed: Sequence[RepoPath], unnamed: RepoPath | None
) -> tuple[tuple[Part, ...], tuple[Misfit, ...]]:
    """The parts for files of the task, under the names that it has for them, and a misfit for every other name.

    `unnamed` is the file that edits without a name are for, where it can be only one.
    """
    parts: list[Part] = []
    misfits: list[Misfit] = []
    echoes: list[Misfit] = []
    for part in reading.parts:
        try:
            path = str(_meant(part.path, allowed, unnamed))
            if isinstance(part, Update) and part.move_to is not None:
                target = str(_meant(part.move_to, allowed, None))
                parts.append(replace(part, path=path, move_to=None if target == path else target))
            else:
                parts.append(replace(part, path=path))
        except (EditsRefused, PathTraversalError) as refusal:
            # Small models repeat an example of the prompt before they answer.
            (echoes if _content(part) in _examples() else misfits).extend(refusal.misfits)
    # An answer of nothing but examples has no edit for the task.
    return tuple(parts), tuple(dict.fromkeys(misfits if parts else misfits + echoes))


@cache
def _examples() -> frozenset[object]:
    return frozenset(
        _content(part) for name, format in FORMATS.items() for part in read(format.prompt, name).parts if part.path
    )


def _content(part: Part) -> object:
    """A part without the numbers of its edits."""
    if isinstance(part, Update):
        return part.path, part.move_to, tuple(edit.variants for edit in part.edits)
    return part


def _meant(name: str | None, allowed: Sequence[RepoPath], unnamed: RepoPath | None) -> RepoPath:
    """The one file of the task that a name can mean: the file itself, or one whose path ends in the same way."""
    if name is None:
        if unnamed is not None:
            return unnamed
        advice = "Write the file's path, relative to the project's root, before its edits."
        raise EditsRefused(Misfit("no-path", "an edit does not say which file it is for", advice))
    path = path_names.parse(name)
    if path in allowed:
        return path
    similar = [file for file in allowed if f"/{file}".endswith(f"/{path}") or f"/{path}".endswith(f"/{file}")]
    if len(similar) == 1:
        return similar[0]
    shown = name[:200]
    if similar:
        raise EditsRefused(Misfit("ambiguous-path", f"{shown!r} can mean several files of the task", _ADVICE, shown))
    raise EditsRefused(Misfit("outside-task", f"{shown!r} is not a file of this task", _ADVICE, shown))
