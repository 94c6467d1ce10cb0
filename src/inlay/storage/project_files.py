"""A project's files and what names mean, read from one descriptor and never through a link that leads out."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
import weakref
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from inlay.errors import EditsRefused, InlayError, Misfit, PathTraversalError, ReplyRejected
from inlay.git import run_git
from inlay.model.edit import Reading
from inlay.model.file import File, RepoPath, Snapshot, decode
from inlay.model.protection import Policy, Protection
from inlay.storage.paths import confined_open, path_names
from inlay.storage.paths import protected_paths as protection
from inlay.storage.paths.resolve import Meaning, Project, Resolver, Role, roles

_MOST_SEARCHED = 64 << 20  # bytes read to find out which file has a block
_LONGEST_SEARCH = 1.0  # seconds for the same; it is only a hint
_LARGEST_SEARCHED = 2 << 20
# What a project carries but did not write; outside git there is nothing to ask.
_FOREIGN = frozenset({"node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache"})


class ProjectFiles:
    """One project directory, opened once; everything below is reached from that descriptor only."""

    def __init__(self, root: str | os.PathLike[str], policy: Policy | None) -> None:
        self.root = Path(root).absolute()
        self._policy = policy or protection.configured(self.root)
        self._descriptor = confined_open.open_root(str(self.root))
        self._close = weakref.finalize(self, os.close, self._descriptor)

    def resolve(self, reading: Reading, directory: str = "", given: str | None = None) -> Snapshot:
        """The files that a reply means, as they are now; raises with every name that is refused.

        Names are relative to the root or to `directory` below it; `given` is one that is relative to the root.
        """
        wanted = roles(reading)
        resolver = Resolver(
            Project(self.root.resolve().name, self._located, cache(self.files), directory), self._parsed(wanted)
        )
        names: dict[str, RepoPath] = {}
        files: dict[RepoPath, File] = {}
        meanings: list[tuple[str, RepoPath, Meaning]] = []
        refusals: list[ReplyRejected] = []
        for name, role in wanted.items():
            from_root = name == given or name.startswith("/")
            try:
                meaning = resolver.resolve(self._parse(name), role, from_root=from_root, is_new=name.startswith("./"))
                names[name] = self._take(meaning.path, role, files)
                meanings.append((name, names[name], meaning))
            except ReplyRejected as refusal:
                refusals.append(refusal)
        if refusals:
            # One refusal with all reasons; a name that leads outside determines its class.
            misfits = dict.fromkeys(misfit for refusal in refusals for misfit in refusal.misfits)
            outside = any(isinstance(refusal, PathTraversalError) for refusal in refusals)
            raise (PathTraversalError if outside else EditsRefused)(*misfits)
        adapted = {path: f"{name} read as {path}" for name, path, meaning in meanings if meaning.is_adapted}
        sure = {path for _, path, meaning in meanings if not meaning.is_guess}
        return Snapshot(names, files, adapted=adapted, guesses=frozenset(names.values()) - sure)

    def _parsed(self, names: Mapping[str, Role]) -> dict[RepoPath, Role]:
        """The names that are paths of the project; the others are refused one by one."""
        paths: dict[RepoPath, Role] = {}
        for name, role in names.items():
            with contextlib.suppress(ReplyRejected):
                paths[self._parse(name)] = role
        return paths

    def _parse(self, name: str) -> RepoPath:
        """The path of a name, which may be absolute below the root."""
        if name.startswith("/"):
            for root in (str(self.root), os.path.realpath(self.root)):
                if name.startswith(f"{root.rstrip('/')}/"):
                    return path_names.parse(name[len(root.rstrip("/")) + 1 :])
        return path_names.parse(name)

    def read(self, path: RepoPath) -> File | None:
        """One file as it is now; None where there is none; raises for what is not text."""
        content = confined_open.read(self._descriptor, path)
        if content is None:
            return None
        decoded = decode(content.data)
        if decoded is None:
            misfit = Misfit("binary", f"{path} is binary, not text", "Edit text files only.", path=str(path))
            raise EditsRefused(misfit)
        digest = hashlib.sha256(content.data).hexdigest()
        return File(path, *decoded, digest, content.status.st_mode & 0o7777)

    def kind(self, path: RepoPath) -> Literal["file", "folder", "other"] | None:
        """What is at a path; None where nothing is; raises for one that no file may have."""
        status = confined_open.status(self._descriptor, self._canonical(path))
        if status is None:
            return None
        return "file" if stat.S_ISREG(status.st_mode) else "folder" if stat.S_ISDIR(status.st_mode) else "other"

    def locate(self, name: str) -> RepoPath:
        """The path of a name, links inside the project resolved; raises for one that no file may have."""
        return self._canonical(self._parse(name))

    def exists(self, name: str) -> bool:
        """Whether the name exists, links inside the project followed; raises like `locate`."""
        return self._located(self._parse(name)) is not None

    def protection(self, path: RepoPath) -> Protection:
        """Whether `path` may be written freely, only with approval, or not at all."""
        return protection.judge(path, self._policy)

    def files(self) -> tuple[str, ...]:
        """The project's own files, sorted; git decides what is ignored where there is git."""
        # git lists nothing in a directory that a repository around it ignores as a whole.
        return tuple(sorted(run_git.list_files(str(self.root)) or _walk(str(self.root))))

    def search(self, blocks: Collection[str]) -> dict[str, list[RepoPath]]:
        """Which files hold each of some blocks line for line; nothing where the project is too large to tell soon."""
        found: dict[str, list[RepoPath]] = {block: [] for block in blocks}
        budget, deadline = _MOST_SEARCHED, time.monotonic() + _LONGEST_SEARCH
        for name in self.files():
            try:
                path = path_names.parse(name)
            except PathTraversalError:
                continue
            text = f"\n{self._text(path)}\n"
            budget -= len(text)
            if budget < 0 or time.monotonic() > deadline:
                return {}
            for block, files in found.items():
                if f"\n{block}\n" in text:
                    files.append(path)
        return found

    def _text(self, path: RepoPath) -> str:
        """The text of a file with plain line ends; empty where it cannot be read as text."""
        try:
            content = confined_open.read(self._descriptor, path, limit=_LARGEST_SEARCHED)
        except InlayError:
            return ""
        decoded = decode(content.data) if content else None
        return decoded[0].replace("\r\n", "\n") if decoded else ""

    def _located(self, path: RepoPath) -> RepoPath | None:
        """Where a path leads, links resolved; None where nothing is there."""
        target = self._canonical(path)
        return None if confined_open.status(self._descriptor, target) is None else target

    def _canonical(self, path: RepoPath) -> RepoPath:
        """Where a path leads; both the path and its target must be allowed."""
        target = confined_open.follow_links(self._descriptor, path)
        if target != path:
            path_names.parse(str(target))
        for name in (path, target):
            if (guard := self.protection(name)).level == "deny":
                raise PathTraversalError(denied(name, guard.reason))
        return target

    def _take(self, name: RepoPath, role: Role, files: dict[RepoPath, File]) -> RepoPath:
        """The path that a name leads to; its file joins `files`, and the name of a new one is checked."""
        path = self._canonical(name)
        # Removing or creating a file means the name itself, and not the target of a link with that name.
        if role in (Role.REMOVE, Role.NEW) and path.name != name.name:
            raise confined_open.linked(name, name.name)
        if path not in files and (file := self.read(path)) is not None:
            files[path] = file
        if path in files or role not in (Role.NEW, Role.WHOLE):
            return path
        if misfit := path_names.judge_new(path):
            raise EditsRefused(misfit)
        if twin := path_names.twin(path.name, confined_open.names_beside(self._descriptor, path)):
            message = f"a new file {path} cannot stand beside {twin!r}: some systems take the two names for one"
            raise EditsRefused(Misfit("path-alias", message, "Use the existing name, or another.", path=str(path)))
        return path


def _walk(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if name not in _FOREIGN and not path_names.is_metadata(name)]
        inside = os.path.relpath(folder, root)
        yield from (name if inside == "." else f"{inside}/{name}" for name in names)


def denied(path: RepoPath, reason: str) -> Misfit:
    message = f"{path} must not be written, because it is {reason}"
    return Misfit("path-protected", message, "Leave this file alone.", path=str(path))
