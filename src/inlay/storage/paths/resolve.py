"""Which file of the project each name in a reply means.

A name that exists is used as it is. Otherwise a prefix that models invent is dropped, and then the one file with the
longest common ending is meant, provided there is exactly one and the edit's own text will prove the choice. Where
nothing would prove it (a whole file, a new one, a deletion) a guess could overwrite the wrong file, so none is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from inlay.errors import EditsRefused, Misfit
from inlay.model.edit import Create, Delete, Overwrite, Part, Reading, Update
from inlay.model.file import RepoPath
from inlay.storage.paths import path_names

_INVENTED = ("a", "b", "path/to", "repo", "project", "workspace")
_MOST_NAMED = 10  # candidates listed in a message; more would not help anybody to choose


class Role(Enum):
    """What a reply does with a name, which decides how freely the name is interpreted; the freest comes first."""

    EDIT = 1
    REMOVE = 2
    WHOLE = 3
    NEW = 4


@dataclass(frozen=True, slots=True)
class Project:
    """What resolving names needs to know about a project."""

    name: str  #: of the root directory, which models like to put before paths
    exists: Callable[[RepoPath], bool]
    files: Callable[[], tuple[str, ...]]  #: asked only when a name is not found as written


def roles(reading: Reading) -> dict[str, Role]:
    """Every name in a reply with its strictest role, in the order written; raises where a part has no name."""
    strictest: dict[str, Role] = {}
    for part in reading.parts:
        for name, role in _roles_of(part):
            # A file that the reply creates and then edits is the new one, never a namesake elsewhere.
            strictest[name] = max(role, strictest.get(name, role), key=lambda r: r.value)
    return strictest


def _roles_of(part: Part) -> list[tuple[str, Role]]:
    match part:
        case Update(path=str(path), move_to=str(target)):
            return [(path, Role.EDIT), (target, Role.NEW)]
        case Update(path=str(path)):
            return [(path, Role.EDIT)]
        case Overwrite(path=str(path)):
            return [(path, Role.WHOLE)]
        case Delete(path):
            return [(path, Role.REMOVE)]
        case Create(path):
            return [(path, Role.NEW)]
        case Update() | Overwrite():
            advice = "Write the file's path, relative to the project's root, before the edit."
            raise EditsRefused(Misfit("no-path", "an edit does not say which file it is for", advice))
        case _:
            assert_never(part)


def resolve(name: str, role: Role, project: Project) -> RepoPath:
    """The path a name means; raises where it means none, several, or one outside the project."""
    path = path_names.parse(name)
    if role is Role.NEW or project.exists(path):
        return path
    for prefix in (*_INVENTED, project.name):
        rest = path.value.removeprefix(f"{prefix}/")
        if rest != path.value and project.exists(shorter := path_names.parse(rest)):
            return shorter
    candidates = _longest_ending(path.value, project.files())
    if role is Role.EDIT and len(candidates) == 1:
        return path_names.parse(candidates[0])
    if role is Role.WHOLE:
        return _whole(name, path, project)
    raise EditsRefused(_unknown(path, candidates))


def _longest_ending(name: str, files: tuple[str, ...]) -> list[str]:
    """The files that share the most last steps with `name`."""
    while True:
        matches = [file for file in files if file == name or file.endswith(f"/{name}")]
        if matches or "/" not in name:
            return matches
        name = name.partition("/")[2]


def _whole(name: str, path: RepoPath, project: Project) -> RepoPath:
    """A new file, unless the name may be short for one that exists; `./` says that it is not."""
    candidates = [file for file in project.files() if file.endswith(f"/{path}")]
    if not candidates or name.startswith("./"):
        return path
    advice = f"Write the full path of the file you mean, or ./{path} for a new file."
    message = f"there is no {path}, and it may be short for {_listed(candidates)}"
    raise EditsRefused(Misfit("ambiguous-path", message, advice, path=str(path)))


def _unknown(path: RepoPath, candidates: list[str]) -> Misfit:
    advice = "Write the full path of the file you mean."
    if len(candidates) > 1:
        return Misfit("ambiguous-path", f"{path} could mean {_listed(candidates)}", advice, path=str(path))
    if candidates:
        return Misfit("missing", f"there is no file {path}; the nearest is {candidates[0]}", advice, path=str(path))
    message = f"there is no file {path} in the project"
    return Misfit("missing", message, "Name an existing file, or create this one.", path=str(path))


def _listed(candidates: list[str]) -> str:
    more = len(candidates) - _MOST_NAMED
    return ", ".join(candidates[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
