"""The backup of one commit: the bytes of all its files before and after, in one file that needs one fsync."""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Mapping

from inlay.storage.state import atomic_write, syscalls

_FAST = 1  # compression; backups are written on every commit and rarely read


def name(number: str) -> str:
    """The file that holds the contents of a commit."""
    return f"{number}.pack"


def digest(content: bytes | None) -> str:
    """The name of a content; empty for no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def write(directory: int, file: str, contents: Mapping[str, bytes]) -> None:
    """Store contents by their digests; a copy, so that a program with a file still open cannot change its backup."""
    parts = []
    for key, content in contents.items():
        packed = zlib.compress(content, _FAST)
        parts.append(f"{key} {len(packed)}\n".encode() + packed)
    atomic_write.write_new(directory, file, b"".join(parts))


def read(directory: int, file: str) -> dict[str, bytes]:
    """Contents by digest; what is damaged or missing is left out, never returned wrong."""
    data, start, contents = atomic_write.read(directory, file), 0, {}
    while (end := data.find(b"\n", start)) >= 0:
        key, _, size = data[start:end].partition(b" ")
        if not size.isdigit():
            break
        start = end + 1 + int(size)
        with contextlib.suppress(zlib.error):
            content = zlib.decompress(data[end + 1 : start])
            if digest(content).encode() == key:
                contents[key.decode()] = content
    return contents


def remove(directory: int, file: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        syscalls.unlink(file, directory)
