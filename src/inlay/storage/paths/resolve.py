"""Which file of the project each name in a reply means.

A name that exists is used as it is, from the root of the project or from the directory where the caller is; where both
exist, the other names of the reply decide. Otherwise a prefix that models invent is dropped, and then the one file with
the longest common ending is meant, provided there is exactly one and the edit's own text will prove the choice. Where
nothing would prove it (a whole file, a new one, a deletion) a guess could overwrite the wrong file, so none is made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import assert_never

from inlay.errors import EditsRefused, Misfit, PathTraversalError, ReplyRejected
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
    locate: Callable[[RepoPath], RepoPath | None]  #: where a path leads; None where nothing is there
    files: Callable[[], tuple[str, ...]]  #: asked only when a name is not found as written
    directory: str = ""  #: where the caller is, below the root: names may be relative to it as well


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name means, and how sure that is."""

    path: RepoPath
    is_adapted: bool = False  #: it is not the name as written, which the user must know
    is_guess: bool = False  #: only the text of an edit can confirm it


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


class Resolver:
    """What the names of one reply mean: each by itself, and where that leaves two files, by all others together."""

    def __init__(self, project: Project, names: Mapping[RepoPath, Role]) -> None:
        self._project, self._names = project, names

    def resolve(self, path: RepoPath, role: Role, *, from_root: bool = False, is_new: bool = False) -> Meaning:
        """The file that a path of a reply means; raises where it means none or several.

        `from_root` is for a path that can only be relative to the root, `is_new` for one that is short for no other.
        """
        here = None if from_root else self._here(path)
        if role is Role.NEW:
            return self._new(path, here)
        if (found := self._existing(path, here)) is not None:
            return Meaning(found, found != path)
        for prefix in (*_INVENTED, self._project.name):
            rest = path.value.removeprefix(f"{prefix}/")
            if rest != path.value:
                shorter = path_names.parse(rest)
                if (found := self._existing(shorter, None if from_root else self._here(shorter))) is not None:
                    return Meaning(found, True, role is Role.EDIT)
        candidates = _longest_ending(path.value, self._project.files())
        if role is Role.EDIT and len(candidates) == 1:
            return Meaning(path_names.parse(candidates[0]), True, True)
        if role is Role.WHOLE:
            self._require_unlike(path, is_new)
            return self._new(path, here)
        raise EditsRefused(_unknown(path, candidates))

    def _here(self, path: RepoPath) -> RepoPath | None:
        """The path relative to where the caller is; None at the root, and where no file may be."""
        if not self._project.directory:
            return None
        with contextlib.suppress(PathTraversalError):
            return path_names.parse(f"{self._project.directory}/{path}")
        return None

    def _existing(self, path: RepoPath, here: RepoPath | None) -> RepoPath | None:
        """The one of the two paths where something is; raises where both are, and are not the same."""
        at_root, at_here = self._project.locate(path), self._locate_here(here)
        if here is None or at_here is None or at_here == at_root:
            return None if at_root is None else path
        return here if at_root is None else self._preferred(path, here)

    def _locate_here(self, here: RepoPath | None) -> RepoPath | None:
        with contextlib.suppress(ReplyRejected):
            return None if here is None else self._project.locate(here)
        return None

    def _preferred(self, path: RepoPath, here: RepoPath) -> RepoPath:
        """The one that agrees with all other names of the reply; raises where they do not tell."""
        if len(self._votes) != 1:
            message = f"{path} can be {path} at the root of the project or {here}"
            advice = f"Write {here} if that is meant, else the absolute path; or start in the root of the project."
            raise EditsRefused(Misfit("ambiguous-path", message, advice, path=str(path)))
        return here if "here" in self._votes else path

    @cached_property
    def _votes(self) -> set[str | None]:
        """From where the names that exist at one place only are written."""
        return {self._vote(path) for path, role in self._names.items() if role is not Role.NEW} - {None}

    def _vote(self, path: RepoPath) -> str | None:
        with contextlib.suppress(ReplyRejected):
            at_root, at_here = self._project.locate(path), self._locate_here(self._here(path))
            if (at_root is None) != (at_here is None):
                return "root" if at_here is None else "here"
        return None

    def _require_unlike(self, path: RepoPath, is_new: bool) -> None:
        """Raise where the name of a whole file may be short for one that exists."""
        candidates = [] if is_new else [file for file in self._project.files() if file.endswith(f"/{path}")]
        if candidates:
            advice = f"Write the full path of the file you mean, or ./{path} for a new file."
            message = f"there is no {path}, and it may be short for {_listed(candidates)}"
            raise EditsRefused(Misfit("ambiguous-path", message, advice, path=str(path)))

    def _new(self, path: RepoPath, here: RepoPath | None) -> Meaning:
        """A new file: where it exists already, else where more of its directories do."""
        if here is None or (found := self._existing(path, here)) == path:
            return Meaning(path)
        at_root, at_here = self._depth(path.value), self._depth(here.value) - self._project.directory.count("/") - 1
        if found is None:
            found = self._preferred(path, here) if at_root == at_here else path if at_root > at_here else here
        return Meaning(found, found != path)

    def _depth(self, path: str) -> int:
        """How many of its directories exist."""
        folders = path.split("/")[:-1]
        existing = (self._locate_here(RepoPath("/".join(folders[:n]))) for n in range(1, len(folders) + 1))
        return sum(1 for _ in takewhile(lambda found: found is not None, existing))


def _longest_ending(name: str, files: tuple[str, ...]) -> list[str]:
    """The files that share the most last steps with `name`."""
    while True:
        matches = [file for file in files if file == name or file.endswith(f"/{name}")]
        if matches or "/" not in name:
            return matches
        name = name.partition("/")[2]


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
