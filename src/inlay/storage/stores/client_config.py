"""Configuration files of other programs, outside any project: read whole, replaced whole, the old one kept beside."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from inlay.errors import EnvironmentFailure

_MOST_BACKUPS = 1000


def read(path: Path) -> str | None:
    """The text of a file, or None where there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentFailure(f"{path} cannot be read: {error}") from error


def replace(path: Path, text: str, *, expecting: str | None) -> Path | None:
    """Write a file, whole at every moment, with the mode it had; tells where the old one is kept, if there was one.

    Raises where the file is no longer what `expecting` says, for somebody else wrote it meanwhile.
    """
    # Links are followed on purpose: people keep such files in a repository and link them into place.
    path = path.resolve()
    try:
        if read(path) != expecting:
            raise EnvironmentFailure(f"{path} was changed meanwhile; nothing was written, try again")
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = _kept(path, expecting)
        _write(path, text, stat.S_IMODE(path.stat().st_mode) if expecting is not None else 0o600)
    except OSError as error:
        raise EnvironmentFailure(f"{path} cannot be written: {error.strerror or error}") from error
    return kept


def _kept(path: Path, text: str | None) -> Path | None:
    if text is None:
        return None
    for number in range(1, _MOST_BACKUPS):
        backup = path.with_name(f"{path.name}.before-inlay{f'.{number}' if number > 1 else ''}")
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            return backup
    raise EnvironmentFailure(f"{path} has {_MOST_BACKUPS} backups; remove some")


def _write(path: Path, text: str, mode: int) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(descriptor, "w", encoding="utf-8", newline="") as stream:
            os.fchmod(descriptor, mode)
            stream.write(text)
            stream.flush()
            os.fsync(descriptor)
        os.replace(fresh, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh)
