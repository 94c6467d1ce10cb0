"""The records of the audit log as lines of JSON, each chained to the one before by its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from inlay.errors import LogDamaged
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.storage.audit.redaction import redact
from inlay.storage.state import record_codec

_FIELDS = tuple(field.name for field in fields(AuditEvent))


def line(number: int, time: str, event: AuditEvent, previous: str) -> tuple[bytes, str]:
    """One record as a line, and the digest that the next one is chained to; ASCII only, so no text can break out."""
    values = {name: redact(value) for name in _FIELDS if (value := str(getattr(event, name)))}
    return _chained({"number": number, "time": time, **values}, previous)


def _chained(body: dict[str, Any], previous: str) -> tuple[bytes, str]:
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(f"{previous}\n{plain}".encode()).hexdigest()
    return f'{plain[:-1]},"digest":"{digest}"}}\n'.encode(), digest


def records(data: bytes, number: int, previous: str) -> Iterator[tuple[AuditRecord, int]]:
    """The records of complete lines with the offset where each ends; raises LogDamaged at the first that differs."""
    start = 0
    while (end := data.find(b"\n", start) + 1) > 0:
        record = _record(data[start:end], number + 1, previous)
        number, previous, start = record.number, record.digest, end
        yield record, end


def _record(raw: bytes, number: int, previous: str) -> AuditRecord:
    try:
        # Not as an AuditRecord: a later version may know other events, and its log is not damaged.
        body = record_codec.decode(raw, dict[str, str | int])
        digest = str(body.pop("digest"))
        if body["number"] != number or _chained(body, previous) != (raw, digest):
            raise LogDamaged(f"record {number} is not what was written")
        values: dict[str, Any] = {key: str(value) for key, value in body.items() if key in _FIELDS}
        return AuditRecord(number, str(body["time"]), AuditEvent(**values), digest)
    except (ValueError, KeyError, TypeError):
        raise LogDamaged(f"record {number} cannot be read") from None
