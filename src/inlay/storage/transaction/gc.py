"""How backups are limited: removed by age and by total size, the oldest first, the newest never."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from inlay.model.audit import AuditEvent
from inlay.model.receipt import Collected
from inlay.storage.audit import audit_log
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup

_DAY = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class _Backup:
    number: int
    size: int
    age: float  #: days


def collect(state: StateDir, older_than: float | None, larger_than: int | None) -> Collected:
    """Remove backups; their receipts stay, so that the history is complete."""
    total, chosen = 0, []
    for position, candidate in enumerate(_newest_first(state)):
        total += candidate.size
        too_old = older_than is not None and candidate.age > older_than
        too_much = larger_than is not None and total > larger_than
        if position and (too_old or too_much):
            chosen.append(candidate)
    numbers = tuple(str(candidate.number) for candidate in chosen)
    if numbers:
        audit_log.append(state, AuditEvent("gc", detail=f"dropping the backups of changes {', '.join(numbers)}"))
    for number in numbers:
        backup.remove(state.backups, backup.name(number))
    return Collected(numbers, sum(candidate.size for candidate in chosen))


def _newest_first(state: StateDir) -> list[_Backup]:
    backups = []
    for name in os.listdir(state.backups):
        stem = name.removesuffix(".pack")
        if stem != name and stem.isdigit():
            status = os.stat(name, dir_fd=state.backups, follow_symlinks=False)
            backups.append(_Backup(int(stem), status.st_size, (time.time() - status.st_mtime) / _DAY))
    return sorted(backups, key=lambda candidate: -candidate.number)
