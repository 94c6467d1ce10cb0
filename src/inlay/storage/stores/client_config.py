"""Configuration files of other programs, outside any project: read whole, replaced whole, the old one kept beside."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from inlay.errors import EnvironmentFailure
from inlay.storage.state import atomic_write

_MOST_BACKUPS = 1000


def read(path: Path) -> str | None:
    """The text of a file; None where there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentFailure(f"{path} cannot be read: {error}") from error


def replace(path: Path, text: str, *, expecting: str | None) -> Path | None:
    """Write a file with the mode it had; returns the backup of the old one, if there was one.

    Raises where the file is no longer what `expecting` says, because another program wrote it in between.
    """
    # Links are followed on purpose: people keep such files in a repository and link them into place.
    path = path.resolve()
    try:
        if read(path) != expecting:
            raise EnvironmentFailure(f"{path} changed in the meantime; nothing was written, try again")
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None if expecting is None else _back_up(path, expecting)
        mode = 0o600 if expecting is None else stat.S_IMODE(path.stat().st_mode)
        atomic_write.replace_path(path, text.encode(), mode=mode)
    except OSError as error:
        raise EnvironmentFailure(f"{path} cannot be written: {error.strerror or error}") from error
    return backup


def _back_up(path: Path, text: str) -> Path:
    for number in range(1, _MOST_BACKUPS):
        backup = path.with_name(f"{path.name}.before-inlay{f'.{number}' if number > 1 else ''}")
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            return backup
    raise EnvironmentFailure(f"{path} has {_MOST_BACKUPS} backups; remove some")
