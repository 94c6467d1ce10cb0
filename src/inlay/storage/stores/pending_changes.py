"""Plans that wait for a person's approval, each in a file of its own below `.inlay/plans`."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator

from inlay.errors import EnvironmentFailure, UnknownPlan
from inlay.model.pending import Pending
from inlay.storage.state import atomic_write, record_codec, state_dir, syscalls

_FOLDER = "plans"
_MOST = 64  # plans that wait; a model that keeps asking must not fill the disk
_ID = re.compile(r"[0-9a-f]{12}")


class Plans:
    """The plans of one project."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.fspath(root)

    def add(self, plan: Pending) -> None:
        """Store a plan durably; the oldest are removed where there are too many."""
        with self._folder() as folder:
            atomic_write.replace(folder, f"{plan.id}.json", record_codec.encode_sealed(plan))
            for name in _oldest_first(folder)[:-_MOST]:
                _remove(folder, name)

    def load(self, id: str) -> Pending:
        """The plan with that id; raises UnknownPlan."""
        with self._folder() as folder:
            data = atomic_write.read(folder, f"{id}.json") if _ID.fullmatch(id) else b""
        if not data:
            raise UnknownPlan(f"no plan {id[:40]!r} waits for approval; `inlay approve` lists those that do")
        try:
            return record_codec.decode_sealed(data, Pending)
        except ValueError:
            raise EnvironmentFailure(f"plan {id} is damaged; deny it and have it proposed again") from None

    def all(self) -> tuple[Pending, ...]:
        """Every plan that waits, the oldest first."""
        with self._folder() as folder:
            names = _oldest_first(folder)
        return tuple(self.load(name.removesuffix(".json")) for name in names)

    def remove(self, id: str) -> None:
        """Remove a plan that was approved or denied."""
        with self._folder() as folder:
            _remove(folder, f"{id}.json")

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        with state_dir.opened(self._root, _FOLDER) as state:
            with contextlib.suppress(FileExistsError):
                syscalls.make_directory(_FOLDER, 0o700, state.top)
            with syscalls.open_directory(_FOLDER, state.top) as folder:
                yield folder


def _oldest_first(folder: int) -> list[str]:
    names = [name for name in os.listdir(folder) if _ID.fullmatch(name.removesuffix(".json")) and "." in name]
    times = dict.fromkeys(names, 0)
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            times[name] = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns
    return sorted(names, key=lambda name: (times[name], name))


def _remove(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        syscalls.unlink(name, folder)
