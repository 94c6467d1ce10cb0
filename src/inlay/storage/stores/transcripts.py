"""Recordings of answers on the disk: JSON lines, one per answer, each durable as soon as its answer is there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from inlay.errors import EnvironmentFailure
from inlay.model.answer import Failed, Transcript, TranscriptEntry, Usage
from inlay.storage.state import record_codec

_LARGEST = 1 << 30  # bytes


def read(path: str) -> Transcript:
    """A recording; raises EnvironmentFailure with the line that cannot be read."""
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read(_LARGEST).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentFailure(f"the recording {path} cannot be read: {error}") from error
    model, entries = "", []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            plain = record_codec.decode(line, dict[str, object])
            if "model" in plain:
                model = model or str(plain["model"])
                continue
            # Recordings are written by hand, too: a misspelt key must not go unnoticed.
            for part, kind in ((plain, TranscriptEntry), (plain.get("usage"), Usage), (plain.get("error"), Failed)):
                keys = part.keys() if isinstance(part, dict) else set()
                if unknown := sorted(keys - {field.name for field in fields(kind)}):
                    raise ValueError(f"it has an unknown key {unknown[0]!r}")
            entries.append(record_codec.convert(plain, TranscriptEntry))
        except ValueError as error:
            raise EnvironmentFailure(f"line {number} of the recording {path} cannot be used: {error}") from None
    return Transcript(model, tuple(entries))


def begin(path: str, model: str) -> None:
    """Name the model at the head of a new recording; an existing one is continued."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        _append(path, {"model": model})


def append(path: str, entry: TranscriptEntry) -> None:
    """Add one answer durably."""
    _append(path, {key: value for key, value in asdict(entry).items() if value not in ("", None, 0.0)})


def _append(path: str, values: Mapping[str, Any]) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, (json.dumps(values) + "\n").encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise EnvironmentFailure(f"the recording {path} cannot be written: {error.strerror}") from error
