"""What jobs took, kept in `.inlay` as JSON lines: numbers and kinds, never content, and never more than two files."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from types import UnionType

from inlay.errors import EnvironmentFailure
from inlay.model.statistics import Metric
from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir, syscalls
from inlay.storage.state.state_dir import Home

_NAME = "metrics.jsonl"
_OLDER = "metrics.1.jsonl"
_LOCK = "metrics.lock"
_ROTATE = 1 << 20  # bytes, some four thousand jobs
_TYPES: dict[str, type | UnionType] = {
    "at": str,
    "job": str,
    "model": str,
    "format": str,
    "outcome": str,
    "attempts": int,
    "errors": list,
    "input_tokens": int,
    "output_tokens": int,
    "cost": int | float | None,
    "seconds": int | float,
    "whole_tokens": int | None,
}
_REQUIRED = _TYPES.keys() - {"whole_tokens"}


def record(root: str | os.PathLike[str], metric: Metric) -> bool:
    """Keep one job; tells whether it could be kept, for a job does not fail because nobody could count it."""
    try:
        with _opened(root) as descriptor, state_dir.made(descriptor) as at, _locked(at):
            _append(at, json.dumps(asdict(metric)).encode())
        return True
    except (OSError, EnvironmentFailure):
        return False


def read(root: str | os.PathLike[str]) -> tuple[Metric, ...]:
    """All that is kept, oldest first; lines that are no whole record are passed over."""
    try:
        with _opened(root) as descriptor, state_dir.existing(descriptor) as at:
            lines = (
                [line for name in (_OLDER, _NAME) for line in state_dir.read(at.top, name).split(b"\n")] if at else []
            )
    except OSError as error:
        raise confined_open.failure(_NAME, error) from error
    return tuple(metric for line in lines if (metric := _parsed(line)))


@contextlib.contextmanager
def _opened(root: str | os.PathLike[str]) -> Iterator[int]:
    descriptor = confined_open.open_root(os.fspath(root))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _locked(at: Home) -> Iterator[None]:
    """A lock of their own: counting must not wait for a commit, nor keep one waiting."""
    descriptor = os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at.top)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _append(at: Home, line: bytes) -> None:
    descriptor = syscalls.open_for_append(_NAME, at.top)
    try:
        size = os.fstat(descriptor).st_size
        # A writer that died in mid-line must not take the next line with it.
        torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
        syscalls.write(descriptor, (b"\n" if torn else b"") + line + b"\n")
    finally:
        os.close(descriptor)
    if size + len(line) > _ROTATE:
        syscalls.rename(_NAME, at.top, _OLDER, at.top)


def _parsed(line: bytes) -> Metric | None:
    try:
        given = json.loads(line)
        known = {each: given[each] for each in _TYPES if each in given}
    except (ValueError, TypeError):
        return None
    if not known.keys() >= _REQUIRED or not all(isinstance(known[each], _TYPES[each]) for each in known):
        return None
    return Metric(**known | {"errors": tuple(map(str, known["errors"]))})
