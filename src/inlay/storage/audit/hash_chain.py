"""The records of the audit log as lines of JSON, each chained to the one before by its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from inlay.model.audit import AuditEvent, AuditRecord
from inlay.storage.audit.redaction import redact

_FIELDS = tuple(field.name for field in fields(AuditEvent))


def line(number: int, time: str, event: AuditEvent, previous: str) -> tuple[bytes, str]:
    """One record as a line, and the digest that the next one is chained to; ASCII only, so no text can break out."""
    said = {name: redact(value) for name in _FIELDS if (value := str(getattr(event, name)))}
    return _sealed({"number": number, "time": time, **said}, previous)


def _sealed(body: dict[str, Any], previous: str) -> tuple[bytes, str]:
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(f"{previous}\n{plain}".encode()).hexdigest()
    return f'{plain[:-1]},"digest":"{digest}"}}\n'.encode(), digest


class ChainBroken(Exception):
    """A line that is not the next record of its chain."""


def records(data: bytes, number: int, previous: str) -> Iterator[tuple[AuditRecord, int]]:
    """The records of complete lines with the offset where each ends; raises Broken at the first that does not fit."""
    at = 0
    while (end := data.find(b"\n", at) + 1) > 0:
        record = _record(data[at:end], number + 1, previous)
        number, previous, at = record.number, record.digest, end
        yield record, at


def _record(raw: bytes, number: int, previous: str) -> AuditRecord:
    try:
        found = json.loads(raw)
        digest = found.pop("digest")
        if found["number"] != number or _sealed(found, previous) != (raw, digest):
            raise ChainBroken(f"record {number} is not what was written")
        said = {key: str(value) for key, value in found.items() if key in _FIELDS}
        return AuditRecord(number, str(found["time"]), AuditEvent(**said), digest)  # type: ignore[arg-type]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ChainBroken(f"record {number} cannot be read") from None
