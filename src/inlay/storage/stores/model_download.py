"""A model file on its way in: kept in pieces across interruptions, and shown to nobody before its hash is right."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator

from inlay.errors import EnvironmentFailure
from inlay.storage.state import syscalls
from inlay.storage.stores import model_files

_BLOCK = 1 << 20
_WHOLE = "whole"


class WrongHash(EnvironmentFailure):
    """What arrived is not what was asked for; it has been removed."""


class Incoming:
    """The pieces of one model; made by `open_incoming`, which keeps everybody else out."""

    def __init__(self, folder: str, target: str) -> None:
        self._folder = folder
        self._target = target

    def size(self, name: str) -> int:
        """Bytes of a piece that are here already."""
        with contextlib.suppress(FileNotFoundError):
            return os.path.getsize(self._path(name))
        return 0

    def is_done(self, sha256: str) -> bool:
        """Whether the model is here already, with this hash."""
        return os.path.exists(self._target) and _digest(self._target) == sha256

    def has(self, name: str) -> bool:
        return os.path.exists(self._path(name))

    def add(self, name: str, start: int, blocks: Iterable[bytes]) -> Iterator[int]:
        """Put what arrives after the first `start` bytes of a piece; gives the size of each block written."""
        with _failing(self._path(name)):
            descriptor = os.open(self._path(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            with _failing(self._path(name)):
                os.ftruncate(descriptor, start)
            for block in blocks:  # what fails in here is the sender's failure, not the disk's
                with _failing(self._path(name)):
                    syscalls.write(descriptor, block)
                yield len(block)
        finally:
            os.close(descriptor)

    def require(self, name: str, sha256: str) -> None:
        """Raise, and remove the piece, where its hash is not this one."""
        found = _digest(self._path(name))
        if found != sha256:
            os.unlink(self._path(name))
            raise WrongHash(f"{name} has the hash {found}, not {sha256}; it was removed and nothing of it is used")

    def unpack(self, archive: str, name: str) -> None:
        """Take the one large file out of a wheel; nothing in it is run, and no name in it is believed."""
        with _failing(self._path(archive)), zipfile.ZipFile(self._path(archive)) as packed:
            largest = max(packed.infolist(), key=lambda each: each.file_size)
            with packed.open(largest) as source, open(self._path(f"{name}.tmp"), "wb") as out:
                shutil.copyfileobj(source, out, _BLOCK)
            os.replace(self._path(f"{name}.tmp"), self._path(name))
        os.unlink(self._path(archive))

    def join(self, names: Iterable[str]) -> None:
        """Put the pieces together, in order."""
        with _failing(self._path(_WHOLE)), open(self._path(_WHOLE), "wb") as out:
            for name in names:
                with open(self._path(name), "rb") as source:
                    shutil.copyfileobj(source, out, _BLOCK)

    def publish(self, sha256: str) -> str:
        """Make the whole file a model that can be used, provided its hash is right; gives its path."""
        self.require(_WHOLE, sha256)
        with _failing(self._target):
            descriptor = os.open(self._path(_WHOLE), os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(self._path(_WHOLE), self._target)
            shutil.rmtree(self._folder, ignore_errors=True)
        return self._target

    @property
    def target(self) -> str:
        """Where the model will be."""
        return self._target

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)


def _digest(path: str) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def open_incoming(folder: str, name: str) -> Iterator[Incoming]:
    """Where the pieces of a model are put; raises where another process is pulling the same one."""
    pieces = os.path.join(folder, f".{name}.incoming")
    with _failing(pieces):
        os.makedirs(pieces, exist_ok=True)
        lock = os.open(os.path.join(folder, f".{name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EnvironmentFailure(f"{name} is being pulled already, by another process") from None
        yield Incoming(pieces, os.path.join(folder, name + model_files.SUFFIX))
    finally:
        os.close(lock)


@contextlib.contextmanager
def _failing(path: str) -> Iterator[None]:
    try:
        yield
    except zipfile.BadZipFile as error:
        raise EnvironmentFailure(f"{path} is no wheel: {error}") from error
    except OSError as error:
        raise EnvironmentFailure(f"{error.filename or path} cannot be written: {error.strerror or error}") from error
