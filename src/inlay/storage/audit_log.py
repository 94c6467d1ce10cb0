"""The audit log: appended durably in one write, chained record by record, its head in a file of its own.

The head has the length and the hash of the log, and every receipt repeats it, so a flipped bit, a truncated log and a
rewritten one are all detected. Records beyond the head come from a process that died before it could move the head;
they count when the chain holds, and half a line is cut off.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from inlay.errors import LogDamaged
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.storage.state import atomic_write, record_codec, syscalls
from inlay.storage.state.state_dir import StateDir
from inlay.text.redact import redact

_HEAD = "head"
_FIELDS = tuple(field.name for field in fields(AuditEvent))
_ROTATE = 256 << 10  # bytes of a segment; small, because every append reads it whole


@dataclass(frozen=True, slots=True)
class Anchor:
    """A position in the audit log, which a receipt repeats."""

    chain: str = ""
    records: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """Where the log ends."""

    chain: str  #: chosen at random when the log was begun, so that another log is not taken for this one
    records: int = 0
    digest: str = ""  #: of the last record
    segment: int = 1
    size: int = 0  #: bytes of the segment
    content: str = hashlib.sha256(b"").hexdigest()  #: digest of those bytes
    last: int = 0  #: number of the last receipt, or of one before it

    @property
    def anchor(self) -> Anchor:
        return Anchor(self.chain, self.records, self.digest)


def now() -> str:
    """The time as records and receipts have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def append(state: StateDir, *events: AuditEvent, last: int = 0, move_head: bool = True) -> Head:
    """Add events in one write; the caller holds the lock. With an unmoved head they count, but could be cut off."""
    head = current(state)
    head = replace(head, last=max(last, head.last))
    if head.size >= _ROTATE:
        head = replace(head, segment=head.segment + 1, size=0, content=Head("").content)
    written, latest = b"", head
    for event in events:
        values = {name: redact(value) for name in _FIELDS if (value := str(getattr(event, name)))}
        body = {"number": latest.records + 1, "time": now(), **values}
        line, digest = _chained(body, latest.digest or head.chain)
        written, latest = written + line, replace(latest, records=latest.records + 1, digest=digest)
    content = _write(state, head, written)
    latest = replace(latest, size=head.size + len(written), content=content)
    if move_head:
        save(state, latest)
    return latest


def _write(state: StateDir, head: Head, lines: bytes) -> str:
    """Append to the segment; returns the digest of all of it."""
    name = _name(head.segment)
    before = atomic_write.read(state.log, name)[: head.size]
    descriptor = syscalls.open_for_append(name, state.log)
    try:
        if os.fstat(descriptor).st_size != head.size:
            syscalls.truncate(descriptor, head.size)
        syscalls.write(descriptor, lines)
        syscalls.sync(descriptor)
    finally:
        os.close(descriptor)
    if head.size == 0:
        syscalls.sync(state.log)
    return hashlib.sha256(before + lines).hexdigest()


def save(state: StateDir, head: Head) -> None:
    """Move the head, after its records are on the disk."""
    atomic_write.replace(state.log, _HEAD, record_codec.encode_sealed(head))


def current(state: StateDir) -> Head:
    """The head, moved past records that it does not count yet, or that of a new log; raises LogDamaged."""
    head = load(state)
    if head is None:
        if os.listdir(state.receipts) or atomic_write.read(state.log, _name(1)):
            raise LogDamaged("its head is missing")
        head = Head(secrets.token_hex(16))
        save(state, head)
        return head
    data = atomic_write.read(state.log, _name(head.segment))
    if len(data) < head.size:
        raise LogDamaged("its end has been cut off")
    if hashlib.sha256(data[: head.size]).hexdigest() != head.content:
        raise LogDamaged(f"{_name(head.segment)} is not what was written")
    head = _caught_up(head, data)
    following = replace(head, segment=head.segment + 1, size=0)
    caught_up = _caught_up(following, atomic_write.read(state.log, _name(following.segment)))
    return caught_up if caught_up.size else head


def _caught_up(head: Head, data: bytes) -> Head:
    start = head.size
    for record, end in _chain(data[start:], head.records, head.digest or head.chain):
        head = replace(head, records=record.number, digest=record.digest, size=start + end)
    return replace(head, content=hashlib.sha256(data[: head.size]).hexdigest())


def load(state: StateDir) -> Head | None:
    """The head as it was saved; None where there is none."""
    data = atomic_write.read(state.log, _HEAD)
    if not data and _HEAD not in os.listdir(state.log):
        return None
    try:
        return record_codec.decode_sealed(data, Head)
    except ValueError:
        raise LogDamaged("its head is not what was written") from None


def records(state: StateDir) -> Iterator[AuditRecord]:
    """All records, oldest first; raises LogDamaged at the first that differs."""
    head = load(state)
    number, digest = 0, head.chain if head else ""
    for segment in _segments(state):
        for record, _ in _chain(atomic_write.read(state.log, segment), number, digest):
            yield record
            number, digest = record.number, record.digest


def _segments(state: StateDir) -> list[str]:
    return sorted(name for name in os.listdir(state.log) if name.endswith(".jsonl"))


def _name(segment: int) -> str:
    return f"{segment:06}.jsonl"


def verify(state: StateDir, anchors: Iterator[tuple[int, Anchor]]) -> Iterator[str]:
    """Everything wrong with the log; `anchors` are those of the receipts, by their numbers."""
    if not (_segments(state) or _HEAD in os.listdir(state.log) or os.listdir(state.receipts)):
        return
    try:
        head = current(state)
        by_number = {record.number: record for record in records(state)}
    except LogDamaged as damage:
        yield damage.problem
        return
    if (by_number[head.records].digest if head.records in by_number else "") != head.digest:
        yield f"it has {len(by_number)} records, its head counts {head.records}"
    first = by_number.get(1)
    restarted_after = int(first.event.receipt or 0) if first and first.event.event == "restart" else 0
    for number, anchor in anchors:
        record = by_number.get(anchor.records)
        if anchor.chain == head.chain and (record is None or record.digest != anchor.digest):
            yield f"change {number} was written when record {anchor.records} was another"
        elif anchor.chain != head.chain and number > restarted_after:
            yield f"change {number} was recorded in another log than this one"


def restart(state: StateDir, aside: str, last: int) -> Head:
    """Rename a damaged log to `aside` in `.inlay` and begin a new one that says so."""
    syscalls.rename("log", state.top, aside, state.top)
    syscalls.make_directory("log", 0o700, state.top)
    syscalls.sync(state.top)
    with syscalls.open_directory("log", state.top) as directory:
        fresh = replace(state, log=directory)
        save(fresh, Head(secrets.token_hex(16), last=last))
        detail = f"the log before this one was damaged and is in .inlay/{aside}"
        return append(fresh, AuditEvent("restart", receipt=str(last), detail=detail))


def _chained(body: dict[str, Any], previous: str) -> tuple[bytes, str]:
    """One record as a line, and the digest that the next one is chained to; ASCII only, so no text can break out."""
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(f"{previous}\n{plain}".encode()).hexdigest()
    return f'{plain[:-1]},"digest":"{digest}"}}\n'.encode(), digest


def _chain(data: bytes, number: int, previous: str) -> Iterator[tuple[AuditRecord, int]]:
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
