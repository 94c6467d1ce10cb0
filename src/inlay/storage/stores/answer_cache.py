"""Answers of models on the disk: one file each, whole or not there at all."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict

from inlay.errors import EnvironmentFailure
from inlay.model.answer import Answer, Usage
from inlay.storage.state import state_dir, syscalls

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class AnswerCache:
    """A directory of answers, for its user only; may be shared by threads and processes."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    @classmethod
    def of_project(cls, root: str | os.PathLike[str]) -> AnswerCache:
        """Those below a project's own `.inlay`, which is made where it is missing."""
        descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with state_dir.made(descriptor):
                return cls(os.path.join(root, state_dir.NAME, "answers"))
        finally:
            os.close(descriptor)

    def read(self, key: str) -> Answer | None:
        """A stored answer; None where there is none, or none that can be read."""
        try:
            with self._opened() as directory:
                return _from_bytes(state_dir.read(directory, f"{key}.json"))
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None

    def write(self, key: str, answer: Answer) -> None:
        """Store an answer; on the disk when this returns."""
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            with self._opened() as directory:
                _replace(directory, f"{key}.json", json.dumps(asdict(answer)).encode())
        except OSError as error:
            raise EnvironmentFailure(f"an answer could not be stored in {self.folder}: {error.strerror}") from error

    def drop(self, key: str) -> None:
        """Forget an answer, where there is one."""
        with contextlib.suppress(OSError), self._opened() as directory:
            os.unlink(f"{key}.json", dir_fd=directory)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        descriptor = os.open(self.folder, _DIRECTORY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def _replace(directory: int, name: str, data: bytes) -> None:
    # A name of its own: two processes may store the same answer at the same time.
    fresh = f".{secrets.token_hex(8)}.tmp"
    state_dir.write_new(directory, fresh, data)
    syscalls.rename(fresh, directory, name, directory)
    syscalls.sync(directory)


def _from_bytes(data: bytes) -> Answer | None:
    if not data:
        return None
    said = json.loads(data)
    return Answer(**{**said, "usage": Usage(**said["usage"])})
