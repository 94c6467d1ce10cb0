"""Holds a reply to the files of its task: whatever a model says, no other file is touched."""

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


def confined(
    reading: Reading, allowed: Sequence[RepoPath], unnamed: RepoPath | None
) -> tuple[tuple[Part, ...], tuple[Misfit, ...]]:
    """The parts for files of the task, under the names that it has for them, and a misfit for every other name.

    `unnamed` is the file that edits without a name are for, where there can be no doubt.
    """
    parts: list[Part] = []
    misfits: list[Misfit] = []
    echoes: list[Misfit] = []
    for part in reading.parts:
        try:
            parts.append(_confined(part, allowed, unnamed))
        except (EditsRefused, PathTraversalError) as refusal:
            (echoes if _is_echo(part) else misfits).extend(refusal.misfits)
    # An answer that holds nothing but the example says nothing.
    return tuple(parts), tuple(dict.fromkeys(misfits if parts else misfits + echoes))


def _is_echo(part: Part) -> bool:
    """Whether it repeats an example of our own prompts word for word, as small models do before they answer."""
    return _said(part) in _examples()


@cache
def _examples() -> frozenset[object]:
    return frozenset(
        _said(part) for name, format in FORMATS.items() for part in read(format.prompt, name).parts if part.path
    )


def _said(part: Part) -> object:
    """What a part says, whatever numbers its edits have."""
    if isinstance(part, Update):
        return part.path, part.move_to, tuple(edit.variants for edit in part.edits)
    return part


def _confined(part: Part, allowed: Sequence[RepoPath], unnamed: RepoPath | None) -> Part:
    path = str(_meant(part.path, allowed, unnamed))
    if isinstance(part, Update) and part.move_to is not None:
        target = str(_meant(part.move_to, allowed, None))
        return replace(part, path=path, move_to=None if target == path else target)
    return replace(part, path=path)


def _meant(name: str | None, allowed: Sequence[RepoPath], unnamed: RepoPath | None) -> RepoPath:
    """The one file of the task that a name can stand for: itself, or one that ends alike."""
    if name is None:
        if unnamed is not None:
            return unnamed
        advice = "Write the file's path, relative to the project's root, before its edits."
        raise EditsRefused(Misfit("no-path", "an edit does not say which file it is for", advice))
    path = path_names.parse(name)
    if path in allowed:
        return path
    alike = [each for each in allowed if _ends_alike(each.value, path.value)]
    if len(alike) != 1:
        raise EditsRefused(_outside(name, several=len(alike) > 1))
    return alike[0]


def _ends_alike(one: str, other: str) -> bool:
    return one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _outside(name: str, *, several: bool) -> Misfit:
    if several:
        return Misfit("ambiguous-path", f"{name[:200]!r} can mean several files of the task", _ADVICE, path=name[:200])
    return Misfit("outside-task", f"{name[:200]!r} is not a file of this task", _ADVICE, path=name[:200])
