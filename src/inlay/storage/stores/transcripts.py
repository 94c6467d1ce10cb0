"""Recordings of answers on the disk: JSON lines, one per answer, each there as soon as its answer is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from inlay.errors import EnvironmentFailure
from inlay.model.answer import Usage
from inlay.model.transcript import Failed, Transcript, TranscriptEntry

_LARGEST = 1 << 30  # bytes
_KINDS = frozenset({"transient", "rate-limit", "overloaded", "timeout", "permanent"})
_STOPS = frozenset({"end", "truncated", "refused"})


def read(path: str) -> Transcript:
    """A recording; raises EnvironmentFailure naming the line that cannot be read."""
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read(_LARGEST).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentFailure(f"the recording {path} cannot be read: {error}") from error
    said = [(number, _parsed(path, number, line)) for number, line in enumerate(lines, 1) if line.strip()]
    model = next((str(each["model"]) for _, each in said if "model" in each), "")
    return Transcript(model, tuple(_entry(path, number, each) for number, each in said if "model" not in each))


def begin(path: str, model: str) -> None:
    """Say at the head of a new recording which model it is of; one that is there already is continued."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        _append(path, {"model": model})


def append(path: str, entry: TranscriptEntry) -> None:
    """Add one answer; on the disk when this returns."""
    told = {key: value for key, value in asdict(entry).items() if value not in ("", None, 0.0)}
    _append(path, told)


def _append(path: str, told: Mapping[str, Any]) -> None:
    data = (json.dumps(told) + "\n").encode()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise EnvironmentFailure(f"the recording {path} cannot be written: {error.strerror}") from error


def _parsed(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError as error:
        raise _wrong(path, number, f"it is no JSON: {error}") from None
    if not isinstance(said, dict):
        raise _wrong(path, number, "it is no JSON object")
    return said


def _entry(path: str, number: int, said: dict[str, Any]) -> TranscriptEntry:
    strange = said.keys() - {field.name for field in fields(TranscriptEntry)}
    if strange:
        raise _wrong(path, number, f"it has a key {sorted(strange)[0]!r}, which means nothing")
    try:
        entry = TranscriptEntry(
            **{
                **said,
                "usage": Usage(**said.get("usage", {})),
                "error": Failed(**said["error"]) if said.get("error") else None,
            }
        )
    except TypeError as error:
        raise _wrong(path, number, str(error)) from None
    if entry.stop not in _STOPS or (entry.error is not None and entry.error.kind not in _KINDS):
        raise _wrong(path, number, "its stop or its kind of error is none that there is")
    return entry


def _wrong(path: str, number: int, what: str) -> EnvironmentFailure:
    return EnvironmentFailure(f"line {number} of the recording {path} cannot be used: {what}")
