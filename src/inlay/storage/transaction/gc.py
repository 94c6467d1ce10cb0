"""Removes backups by age and by total size: the oldest first, the newest never."""

from __future__ import annotations

import os
import time

from inlay.model.audit import AuditEvent
from inlay.model.receipt import Collected
from inlay.storage import audit_log
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup

_DAY = 24 * 60 * 60.0


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
        backup.remove(state.backups, backup.name(change))
    return Collected(numbers, sum(backups[number].st_size for number in chosen))
