"""The audit log: appended in one write and made to last, chained record by record, its head kept apart.

The head says how long the log is and what it hashes to, and every receipt repeats it, so a flipped bit, a cut tail and
a log written anew all show. Records beyond the head come from a process that died before it could move the head; they
count when the chain holds, and half a line is cut off.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from inlay.errors import LogDamaged
from inlay.model.audit import AuditEvent, AuditRecord
from inlay.storage.audit import hash_chain as chain
from inlay.storage.state import state_dir, syscalls
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction.journal import Anchor

_HEAD = "head"
_ROTATE = 256 << 10  # bytes of a segment; read whole on every append, so not large


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
        """What a receipt keeps of it."""
        return Anchor(self.chain, self.records, self.digest)


def now() -> str:
    """The time as every record and receipt has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def append(at: Home, *events: AuditEvent, last: int = 0, move_head: bool = True) -> Head:
    """Add events in one write; the lock must be held. Without moving the head they count, but could be cut off."""
    head = _rotated(current(at))
    head = replace(head, last=max(last, head.last))
    written, latest = b"", head
    for event in events:
        line, digest = chain.line(latest.records + 1, now(), event, latest.digest or head.chain)
        written, latest = written + line, replace(latest, records=latest.records + 1, digest=digest)
    content = _write(at, head, written)
    latest = replace(latest, size=head.size + len(written), content=content)
    if move_head:
        save(at, latest)
    return latest


def _rotated(head: Head) -> Head:
    if head.size < _ROTATE:
        return head
    return replace(head, segment=head.segment + 1, size=0, content=Head("").content)


def _write(at: Home, head: Head, lines: bytes) -> str:
    """Append to the segment; the digest of all of it."""
    name = _name(head.segment)
    known = state_dir.read(at.log, name)[: head.size]
    descriptor = syscalls.open_for_append(name, at.log)
    try:
        if os.fstat(descriptor).st_size != head.size:
            syscalls.truncate(descriptor, head.size)
        syscalls.write(descriptor, lines)
        syscalls.sync(descriptor)
    finally:
        os.close(descriptor)
    if head.size == 0:
        syscalls.sync(at.log)
    return hashlib.sha256(known + lines).hexdigest()


def save(at: Home, head: Head) -> None:
    """Move the head, after the records it stands for are on the disk."""
    body = json.dumps(asdict(head), sort_keys=True)
    state_dir.replace(at.log, _HEAD, f"{body}\n{hashlib.sha256(body.encode()).hexdigest()}\n".encode())


def current(at: Home) -> Head:
    """The head, moved past records that are there but were not counted yet; raises LogDamaged."""
    head = load(at)
    if head is None:
        return _first(at)
    data = state_dir.read(at.log, _name(head.segment))
    if len(data) < head.size:
        raise LogDamaged("its end has been cut off")
    if hashlib.sha256(data[: head.size]).hexdigest() != head.content:
        raise LogDamaged(f"{_name(head.segment)} is not what was written")
    head = _caught_up(head, data)
    following = replace(head, segment=head.segment + 1, size=0)
    caught_up = _caught_up(following, state_dir.read(at.log, _name(following.segment)))
    return caught_up if caught_up.size else head


def _caught_up(head: Head, data: bytes) -> Head:
    start = head.size
    try:
        for record, end in chain.records(data[start:], head.records, head.digest or head.chain):
            head = replace(head, records=record.number, digest=record.digest, size=start + end)
    except chain.ChainBroken as broken:
        raise LogDamaged(str(broken)) from None
    return replace(head, content=hashlib.sha256(data[: head.size]).hexdigest())


def _first(at: Home) -> Head:
    """The head of a log that has none yet, which is right only where nothing was ever written."""
    if os.listdir(at.receipts) or state_dir.read(at.log, _name(1)):
        raise LogDamaged("its head is missing")
    head = Head(secrets.token_hex(16))
    save(at, head)
    syscalls.sync(at.log)
    return head


def load(at: Home) -> Head | None:
    """The head as it was saved, or None where there is none."""
    data = state_dir.read(at.log, _HEAD)
    if not data and _HEAD not in os.listdir(at.log):
        return None
    body, _, checksum = data.partition(b"\n")
    with contextlib.suppress(ValueError, TypeError):
        if checksum == hashlib.sha256(body).hexdigest().encode() + b"\n":
            return Head(**json.loads(body))
    raise LogDamaged("its head is not what was written")


def records(at: Home) -> Iterator[AuditRecord]:
    """All records, oldest first; raises LogDamaged at the first that does not fit."""
    head = load(at)
    number, digest = 0, head.chain if head else ""
    try:
        for segment in _segments(at):
            for record, _ in chain.records(state_dir.read(at.log, segment), number, digest):
                yield record
                number, digest = record.number, record.digest
    except chain.ChainBroken as broken:
        raise LogDamaged(str(broken)) from None


def _segments(at: Home) -> list[str]:
    return sorted(name for name in os.listdir(at.log) if name.endswith(".jsonl"))


def _name(segment: int) -> str:
    return f"{segment:06}.jsonl"


def verify(at: Home, anchors: Iterator[tuple[int, Anchor]]) -> Iterator[str]:
    """Everything wrong with the log; `anchors` is what the receipts say about it, by their numbers."""
    if not (_segments(at) or _HEAD in os.listdir(at.log) or os.listdir(at.receipts)):
        return
    try:
        head = current(at)
        found = {record.number: record for record in records(at)}
    except LogDamaged as damage:
        yield damage.problem
        return
    if (found[head.records].digest if head.records in found else "") != head.digest:
        yield f"it has {len(found)} records, its head counts {head.records}"
    for number, anchor in anchors:
        known = found.get(anchor.records)
        if anchor.chain == head.chain and (known is None or known.digest != anchor.digest):
            yield f"change {number} was written when record {anchor.records} was another"
        elif anchor.chain != head.chain and number > _restarted_after(found.get(1)):
            yield f"change {number} was recorded in another log than this one"


def _restarted_after(first: AuditRecord | None) -> int:
    """The last change that was recorded in a log before this one."""
    return int(first.event.receipt or 0) if first and first.event.event == "restart" else 0


def restart(at: Home, aside: str, last: int) -> Head:
    """Set a damaged log aside under `aside` in `.inlay` and begin a new one that says so."""
    syscalls.rename("log", at.top, aside, at.top)
    syscalls.make_directory("log", 0o700, at.top)
    syscalls.sync(at.top)
    descriptor = os.open("log", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at.top)
    try:
        fresh = replace(at, log=descriptor)
        save(fresh, Head(secrets.token_hex(16), last=last))
        detail = f"the log before this one was damaged and is in .inlay/{aside}"
        return append(fresh, AuditEvent("restart", receipt=str(last), detail=detail))
    finally:
        os.close(descriptor)
