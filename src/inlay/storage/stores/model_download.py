"""A model file that is being downloaded: kept in pieces across interruptions, and not used before its hash is right."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator

from inlay.errors import EnvironmentFailure
from inlay.storage.state import atomic_write, syscalls
from inlay.storage.state.lock import locked
from inlay.storage.stores import model_files

_BLOCK = 1 << 20
_WHOLE = "whole"


class WrongHash(EnvironmentFailure):
    """The downloaded file has another hash; it was removed."""


class Incoming:
    """The pieces of one model; made by `open_incoming`, which keeps other processes out."""

    def __init__(self, folder: str, target: str) -> None:
        self._folder = folder
        self.target = target  #: where the model will be

    def size(self, name: str) -> int:
        """Bytes of a piece that were downloaded already."""
        with contextlib.suppress(FileNotFoundError):
            return os.path.getsize(self._path(name))
        return 0

    def is_done(self, sha256: str) -> bool:
        """Whether the model was downloaded already, with this hash."""
        return os.path.exists(self.target) and _digest(self.target) == sha256

    def has(self, name: str) -> bool:
        return os.path.exists(self._path(name))

    def add(self, name: str, start: int, blocks: Iterable[bytes]) -> Iterator[int]:
        """Write blocks after the first `start` bytes of a piece; yields the size of each."""
        with _failing(self._path(name)):
            descriptor = os.open(self._path(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            with _failing(self._path(name)):
                os.ftruncate(descriptor, start)
            for block in blocks:  # an error of the sender is not one of the disk
                with _failing(self._path(name)):
                    syscalls.write(descriptor, block)
                yield len(block)
        finally:
            os.close(descriptor)

    def require(self, name: str, sha256: str) -> None:
        """Raise, and remove the piece, where its hash is not this one."""
        digest = _digest(self._path(name))
        if digest != sha256:
            os.unlink(self._path(name))
            raise WrongHash(f"{name} has the hash {digest}, not {sha256}; it was removed and nothing of it is used")

    def unpack(self, archive: str, name: str) -> None:
        """Extract the one large file of a wheel; nothing in it is run, and no name in it is trusted."""
        with _failing(self._path(archive)), zipfile.ZipFile(self._path(archive)) as packed:
            largest = max(packed.infolist(), key=lambda member: member.file_size)
            with packed.open(largest) as source, open(self._path(f"{name}.tmp"), "wb") as out:
                shutil.copyfileobj(source, out, _BLOCK)
            os.replace(self._path(f"{name}.tmp"), self._path(name))
        os.unlink(self._path(archive))

    def join(self, names: Iterable[str]) -> None:
        """Join the pieces, in order."""
        with _failing(self._path(_WHOLE)), open(self._path(_WHOLE), "wb") as out:
            for name in names:
                with open(self._path(name), "rb") as source:
                    shutil.copyfileobj(source, out, _BLOCK)

    def publish(self, sha256: str) -> str:
        """Make the whole file a usable model, provided its hash is right; returns its path."""
        self.require(_WHOLE, sha256)
        with _failing(self.target):
            atomic_write.publish(self._path(_WHOLE), self.target)
            shutil.rmtree(self._folder, ignore_errors=True)
        return self.target

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)


def _digest(path: str) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def open_incoming(folder: str, name: str) -> Iterator[Incoming]:
    """Where the pieces of a model are written; raises where another process is pulling the same one."""
    pieces = os.path.join(folder, f".{name}.incoming")
    with contextlib.ExitStack() as stack:
        with _failing(pieces):
            os.makedirs(pieces, exist_ok=True)
            busy = f"{name} is being pulled already, by another process"
            stack.enter_context(locked(os.path.join(folder, f".{name}.lock"), busy=busy))
        yield Incoming(pieces, os.path.join(folder, name + model_files.SUFFIX))


@contextlib.contextmanager
def _failing(path: str) -> Iterator[None]:
    try:
        yield
    except zipfile.BadZipFile as error:
        raise EnvironmentFailure(f"{path} is not a wheel: {error}") from error
    except OSError as error:
        raise EnvironmentFailure(f"{error.filename or path} cannot be written: {error.strerror or error}") from error
