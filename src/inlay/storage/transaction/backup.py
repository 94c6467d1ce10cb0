"""The backup of one commit: the bytes of all its files before and after, in one file that needs one fsync."""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Mapping

from inlay.storage.state import state_dir, syscalls

_FAST = 1  # backups are written on every commit and read on few


def name(number: str) -> str:
    """The file in which the contents of a commit are kept."""
    return f"{number}.pack"


def digest(content: bytes) -> str:
    """What content is known by."""
    return hashlib.sha256(content).hexdigest()


def write(directory: int, file: str, contents: Mapping[str, bytes]) -> None:
    """Keep contents by their digests; a copy, so that nobody who still has a file open can change its backup."""
    parts = []
    for key, content in contents.items():
        packed = zlib.compress(content, _FAST)
        parts.append(f"{key} {len(packed)}\n".encode() + packed)
    state_dir.write_new(directory, file, b"".join(parts))


def read(directory: int, file: str) -> dict[str, bytes]:
    """Contents by digest; what is damaged or missing is left out, never returned wrong."""
    data, at, found = state_dir.read(directory, file), 0, {}
    while (end := data.find(b"\n", at)) >= 0:
        key, _, size = data[at:end].partition(b" ")
        if not size.isdigit():
            break
        at = end + 1 + int(size)
        with contextlib.suppress(zlib.error):
            content = zlib.decompress(data[end + 1 : at])
            if digest(content).encode() == key:
                found[key.decode()] = content
    return found


def remove(directory: int, file: str) -> None:
    """Drop a backup, if it is there."""
    with contextlib.suppress(FileNotFoundError):
        syscalls.unlink(file, directory)
