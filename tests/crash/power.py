"""What a power cut may leave: every call is recorded, then whatever was never synced is dropped in many ways.

Data is sure only after its file was synced, a name only after every directory it touches was. Of the rest a file system
may keep any part; most keep names in the order they were changed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inlay.storage.state import syscalls

Names = dict[str, int]  # path -> number of a file; directories are -1
DIRECTORY = -1


@dataclass
class Content:
    now: bytes = b""
    sure: bytes = b""


@dataclass
class NameChange:
    """A change of names, sure once all its directories have been synced."""

    apply: Callable[[Names], None]
    unsynced: set[str]


@dataclass
class Disk:
    """The disk as the process sees it, and how much of that is sure."""

    root: Path
    start: Names = field(default_factory=dict)
    names: Names = field(default_factory=dict)
    files: dict[int, Content] = field(default_factory=dict)
    changes: list[NameChange] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in self.root.rglob("*"):
            name = path.relative_to(self.root).as_posix()
            self.start[name] = DIRECTORY if path.is_dir() else self._add(path.read_bytes())
        self.names = dict(self.start)

    def _add(self, data: bytes = b"", *, sure: bool = True) -> int:
        self.files[len(self.files)] = Content(data, data if sure else b"")
        return len(self.files) - 1

    def _change(self, apply: Callable[[Names], None], *paths: str) -> None:
        self.changes.append(NameChange(apply, {os.path.dirname(path) for path in paths}))
        apply(self.names)

    def create(self, path: str) -> None:
        if path not in self.names:
            number = self._add(sure=False)
            self._change(lambda names: names.__setitem__(path, number), path)

    def mkdir(self, path: str) -> None:
        self._change(lambda names: names.__setitem__(path, DIRECTORY), path)

    def remove(self, path: str) -> None:
        self._change(lambda names: names.pop(path, None), path)

    def rename(self, old: str, new: str) -> None:
        number = self.names[old]

        def apply(names: Names) -> None:
            names.pop(old, None)
            names[new] = number

        self._change(apply, old, new)

    def exchange(self, one: str, two: str) -> None:
        first, second = self.names[one], self.names[two]
        self._change(lambda names: names.update({one: second, two: first}), one, two)

    def write(self, path: str, data: bytes) -> None:
        self.files[self.names[path]].now += data

    def truncate(self, path: str, size: int) -> None:
        content = self.files[self.names[path]]
        content.now = content.now[:size]

    def sync(self, path: str) -> None:
        number = self.names.get(path, DIRECTORY)
        if number != DIRECTORY:
            self.files[number].sure = self.files[number].now
            return
        for change in self.changes:
            change.unsynced.discard(path)

    def outcomes(self, chance: random.Random, subsets: int) -> Iterator[tuple[str, dict[str, bytes | None]]]:
        """What may be on the disk after a power cut now."""
        unsure = [number for number, change in enumerate(self.changes) if change.unsynced]
        kept = {*range(len(self.changes))} - {*unsure}
        for count in {0, len(unsure) // 2, len(unsure)}:
            for how in ("kept", "lost", "half"):
                yield f"first {count} names, data {how}", self._tree(kept | {*unsure[:count]}, how)
        for _ in range(subsets):
            some = {number for number in unsure if chance.random() < 0.5}
            yield "some names", self._tree(kept | some, chance.choice(("kept", "lost", "half")))

    def _tree(self, applied: set[int], how: str) -> dict[str, bytes | None]:
        names = dict(self.start)
        for number in sorted(applied):
            self.changes[number].apply(names)
        whole = {path for path in names if all(above in names for above in _above(path))}
        return {path: None if names[path] == DIRECTORY else self._data(names[path], how) for path in whole}

    def _data(self, number: int, how: str) -> bytes:
        content = self.files[number]
        if how == "kept" or content.now == content.sure:
            return content.now
        return content.sure if how == "lost" else content.now[: (len(content.sure) + len(content.now)) // 2]


def _above(path: str) -> Iterator[str]:
    while path := os.path.dirname(path):
        yield path


def build(root: Path, tree: dict[str, bytes | None]) -> None:
    """Put an outcome on a real disk."""
    for path, data in sorted(tree.items()):
        if data is None:
            (root / path).mkdir(parents=True)
        else:
            (root / path).write_bytes(data)


class Recorder:
    """Stands in for the calls that change the disk: makes them, and tells the model."""

    def __init__(self, disk: Disk, after_each: Callable[[], None]) -> None:
        self._disk, self._after_each = disk, after_each

    def _at(self, descriptor: int, name: str = "") -> str:
        path = os.path.relpath(os.path.join(os.readlink(f"/proc/self/fd/{descriptor}"), name), self._disk.root)
        return "" if path == "." else path

    def install(self, patch: Callable[[str, Callable[..., Any]], None]) -> None:
        """Replace the functions of `syscalls`; `patch` undoes it later."""
        model = {
            "create": lambda name, mode, at: self._disk.create(self._at(at, name)),
            "open_for_append": lambda name, at: self._disk.create(self._at(at, name)),
            "write": lambda to, data: self._disk.write(self._at(to), bytes(data)),
            "truncate": lambda to, size: self._disk.truncate(self._at(to), size),
            "sync": lambda to: self._disk.sync(self._at(to)),
            "make_directory": lambda name, mode, at: self._disk.mkdir(self._at(at, name)),
            "remove_directory": lambda name, at: self._disk.remove(self._at(at, name)),
            "unlink": lambda name, at: self._disk.remove(self._at(at, name)),
            "rename": lambda a, at, b, to: self._disk.rename(self._at(at, a), self._at(to, b)),
            "rename_new": lambda a, at, b, to: self._disk.rename(self._at(at, a), self._at(to, b)),
            "exchange": lambda a, at, b, to: self._disk.exchange(self._at(at, a), self._at(to, b)),
        }
        for name, told in model.items():
            patch(name, self._recorded(getattr(syscalls, name), told))

    def _recorded(self, real: Callable[..., Any], told: Callable[..., None]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            found = real(*arguments)  # first, for a call that fails has changed nothing
            told(*arguments)
            self._after_each()
            return found

        return call
