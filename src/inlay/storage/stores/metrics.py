"""Metrics of jobs, kept in `.inlay` as JSON lines: numbers and kinds, never content, and never more than two files."""

from __future__ import annotations

import contextlib
import os

from inlay.errors import EnvironmentFailure
from inlay.model.statistics import Metric
from inlay.storage.paths import confined_open
from inlay.storage.state import atomic_write, lock, record_codec, state_dir, syscalls
from inlay.storage.state.state_dir import StateDir

_NAME = "metrics.jsonl"
_OLDER = "metrics.1.jsonl"
_LOCK = "metrics.lock"  # of their own: counting must not wait for a commit, nor delay one
_ROTATE = 1 << 20  # bytes, some four thousand jobs


def record(root: str | os.PathLike[str], metric: Metric) -> bool:
    """Store the metrics of one job; False where that failed, which is no reason for the job to fail."""
    try:
        with state_dir.opened(root) as state, lock.locked(_LOCK, state.top, wait=None):
            _append(state, record_codec.encode(metric))
        return True
    except EnvironmentFailure:
        return False


def read(root: str | os.PathLike[str]) -> tuple[Metric, ...]:
    """All metrics, oldest first; lines that are not a complete record are skipped."""
    try:
        with confined_open.opened_root(root) as directory, state_dir.existing(directory) as state:
            files = [atomic_write.read(state.top, name) for name in (_OLDER, _NAME)] if state else []
    except OSError as error:
        raise confined_open.failure(_NAME, error) from error
    metrics = []
    for line in b"\n".join(files).split(b"\n"):
        with contextlib.suppress(ValueError):
            metrics.append(record_codec.decode(line, Metric))
    return tuple(metrics)


def _append(state: StateDir, line: bytes) -> None:
    descriptor = syscalls.open_for_append(_NAME, state.top)
    try:
        size = os.fstat(descriptor).st_size
        # A writer that died within a line must not damage the next line too.
        is_torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
        syscalls.write(descriptor, (b"\n" if is_torn else b"") + line + b"\n")
    finally:
        os.close(descriptor)
    if size + len(line) > _ROTATE:
        syscalls.rename(_NAME, state.top, _OLDER, state.top)
