"""The backup of one commit: the bytes of all its files before and after, in one file that needs one fsync.

Backups are limited by age and by total size, the oldest go first, the newest never.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import zlib
from collections.abc import Mapping

from inlay.model.audit import AuditEvent
from inlay.model.receipt import Collected
from inlay.storage.audit import audit_log
from inlay.storage.state import atomic_write, syscalls
from inlay.storage.state.state_dir import StateDir

_DAY = 24 * 60 * 60.0
_FAST = 1  # compression; backups are written on every commit and rarely read


def name(number: str) -> str:
    """The file that holds the contents of a commit."""
    return f"{number}.pack"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


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


def collect(state: StateDir, older_than: float | None, larger_than: int | None) -> Collected:
    """Remove backups; their receipts stay, so that the history is complete."""
    backups: dict[int, os.stat_result] = {}
    for file in os.listdir(state.backups):
        stem = file.removesuffix(".pack")
        if stem != file and stem.isdigit():
            backups[int(stem)] = os.stat(file, dir_fd=state.backups, follow_symlinks=False)
    total, chosen = 0, []
    for position, number in enumerate(sorted(backups, reverse=True)):
        total += backups[number].st_size
        days = (time.time() - backups[number].st_mtime) / _DAY
        too_old = older_than is not None and days > older_than
        too_much = larger_than is not None and total > larger_than
        if position and (too_old or too_much):
            chosen.append(number)
    numbers = tuple(map(str, chosen))
    if numbers:
        audit_log.append(state, AuditEvent("gc", detail=f"dropping the backups of changes {', '.join(numbers)}"))
    for change in numbers:
        remove(state.backups, name(change))
    return Collected(numbers, sum(backups[number].st_size for number in chosen))
