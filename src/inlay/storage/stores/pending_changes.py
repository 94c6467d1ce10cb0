"""Plans that wait for a person's answer, each in a file of its own below `.inlay/plans`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from inlay.errors import EnvironmentFailure, UnknownPlan
from inlay.model.match import Match
from inlay.model.pending import Pending, PendingChange
from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir, syscalls

_FOLDER = "plans"
_MOST = 64  # plans that wait; nobody answers more, and a model that keeps asking must not fill the disk
_ID = re.compile(r"[0-9a-f]{12}")


class Plans:
    """The plans of one project."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.fspath(root)

    def add(self, plan: Pending) -> None:
        """Keep a plan, on the disk when this returns; the oldest give way to it."""
        with self._folder() as folder:
            state_dir.replace(folder, f"{plan.id}.json", _to_bytes(plan))
            syscalls.sync(folder)
            for name in _oldest_first(folder)[:-_MOST]:
                _remove(folder, name)

    def load(self, id: str) -> Pending:
        """The plan of that name; raises UnknownPlan."""
        with self._folder() as folder:
            data = state_dir.read(folder, f"{id}.json") if _ID.fullmatch(id) else b""
        if not data:
            raise UnknownPlan(f"no plan {id[:40]!r} waits for an answer; `inlay approve` lists those that do")
        return _from_bytes(data, id)

    def all(self) -> tuple[Pending, ...]:
        """Every plan that waits, the oldest first."""
        with self._folder() as folder:
            names = _oldest_first(folder)
        return tuple(self.load(name.removesuffix(".json")) for name in names)

    def remove(self, id: str) -> None:
        """Forget a plan that was answered."""
        with self._folder() as folder:
            _remove(folder, f"{id}.json")

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        with contextlib.ExitStack() as stack:
            root = confined_open.open_root(self._root)
            stack.callback(os.close, root)
            try:
                at = stack.enter_context(state_dir.made(root))
                with contextlib.suppress(FileExistsError):
                    syscalls.make_directory(_FOLDER, 0o700, at.top)
                folder = os.open(_FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at.top)
                stack.callback(os.close, folder)
                yield folder
            except OSError as error:
                raise confined_open.failure(f"{state_dir.NAME}/{_FOLDER}", error) from error


def _oldest_first(folder: int) -> list[str]:
    names = [name for name in os.listdir(folder) if _ID.fullmatch(name.removesuffix(".json")) and "." in name]
    return sorted(names, key=lambda name: (_written(folder, name), name))


def _written(folder: int, name: str) -> int:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        return 0


def _remove(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        syscalls.unlink(name, folder)


def _to_bytes(plan: Pending) -> bytes:
    body = json.dumps(asdict(plan), sort_keys=True)
    return f"{body}\n{hashlib.sha256(body.encode()).hexdigest()}\n".encode()


def _from_bytes(data: bytes, id: str) -> Pending:
    body, _, digest = data.decode("ascii", "replace").rstrip("\n").rpartition("\n")
    if hashlib.sha256(body.encode()).hexdigest() != digest:
        raise EnvironmentFailure(f"plan {id} is damaged; deny it and have it proposed again")
    told: dict[str, Any] = json.loads(body)
    changes = tuple(_change(change) for change in told["changes"])
    return Pending(**{**told, "reasons": tuple(told["reasons"]), "changes": changes})


def _change(told: dict[str, Any]) -> PendingChange:
    matches = tuple(Match(**{**match, "adapted": tuple(match["adapted"])}) for match in told["matches"])
    return PendingChange(**{**told, "matches": matches})
