"""How backups stay within bounds: dropped by age and by size, the oldest first, the newest never."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from inlay.model.audit import AuditEvent
from inlay.model.receipt import Collected
from inlay.storage.audit import audit_log
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup as pack

_DAY = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class _Backup:
    number: int
    size: int
    age: float  #: days


def collect(at: Home, older_than: float | None, larger_than: int | None) -> Collected:
    """Drop backups; their receipts stay, so that the history is whole."""
    backups = _backups(at)
    dropped = _chosen(backups, older_than, larger_than)
    if dropped:
        said = ", ".join(str(backup.number) for backup in dropped)
        audit_log.append(at, AuditEvent("gc", detail=f"dropping the backups of changes {said}"))
    for backup in dropped:
        pack.remove(at.backups, pack.name(str(backup.number)))
    return Collected(tuple(str(backup.number) for backup in dropped), sum(backup.size for backup in dropped))


def _backups(at: Home) -> list[_Backup]:
    """All there are, newest first."""
    found = []
    for name in os.listdir(at.backups):
        stem = name.removesuffix(".pack")
        if stem != name and stem.isdigit():
            status = os.stat(name, dir_fd=at.backups, follow_symlinks=False)
            found.append(_Backup(int(stem), status.st_size, (time.time() - status.st_mtime) / _DAY))
    return sorted(found, key=lambda backup: -backup.number)


def _chosen(backups: list[_Backup], older_than: float | None, larger_than: int | None) -> list[_Backup]:
    total, chosen = 0, []
    for position, backup in enumerate(backups):
        total += backup.size
        too_old = older_than is not None and backup.age > older_than
        too_much = larger_than is not None and total > larger_than
        if position and (too_old or too_much):
            chosen.append(backup)
    return chosen
