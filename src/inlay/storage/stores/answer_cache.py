"""Answers of models on the disk: one file each, whole or not there at all."""

from __future__ import annotations

import contextlib
import os

from inlay.errors import EnvironmentFailure
from inlay.model.answer import Answer
from inlay.storage.state import atomic_write, record_codec, state_dir, syscalls


class AnswerCache:
    """A directory of answers, for its user only; threads and processes may share it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    @classmethod
    def of_project(cls, root: str | os.PathLike[str]) -> AnswerCache:
        """The cache in a project's own `.inlay`, which is made where it is missing."""
        with state_dir.opened(root, "answers"):
            return cls(os.path.join(root, state_dir.NAME, "answers"))

    def read(self, key: str) -> Answer | None:
        """A stored answer; None where there is none, or none that can be read."""
        try:
            with syscalls.open_directory(self.folder) as directory:
                return record_codec.decode(atomic_write.read(directory, f"{key}.json"), Answer)
        except (FileNotFoundError, ValueError):
            return None

    def write(self, key: str, answer: Answer) -> None:
        """Store an answer durably."""
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            with syscalls.open_directory(self.folder) as directory:
                atomic_write.replace(directory, f"{key}.json", record_codec.encode(answer))
        except OSError as error:
            raise EnvironmentFailure(f"an answer could not be stored in {self.folder}: {error.strerror}") from error

    def drop(self, key: str) -> None:
        with contextlib.suppress(OSError), syscalls.open_directory(self.folder) as directory:
            os.unlink(f"{key}.json", dir_fd=directory)
