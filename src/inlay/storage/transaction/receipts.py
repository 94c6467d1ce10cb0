"""What was committed and whether it was undone: receipts, their contents, and the write set that undoes one.

Undoing gives every name what it held before, provided it still holds what it got.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inlay.errors import EnvironmentFailure, NeedsDecision, ReplyRejected, StaleFile, UnknownReceipt
from inlay.model.file import RepoPath
from inlay.model.receipt import Action, Contents, Kind, Receipt
from inlay.storage.audit.audit_log import Anchor
from inlay.storage.paths import confined_open
from inlay.storage.state import atomic_write
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, journal, write_set
from inlay.storage.transaction.journal import Journal
from inlay.storage.transaction.transaction import numbers
from inlay.storage.transaction.write_set import FileWrite, WriteSet

_INVERSE: dict[Action, Action] = {"created": "deleted", "deleted": "created", "updated": "updated", "moved": "moved"}


def load(state: StateDir, number: str) -> Journal:
    """A sealed journal; raises UnknownReceipt."""
    name = journal.receipt_name(number)
    data = atomic_write.read(state.receipts, name) if number.isascii() and number.isdigit() else b""
    if not data:
        raise UnknownReceipt(f"there is no change {number[:40]!r}; `inlay history` lists all changes")
    return journal.from_bytes(data, f".inlay/receipts/{name}")


def newest_first(state: StateDir) -> Iterator[Receipt]:
    """All receipts; a damaged one has a note and does not hide the others."""
    for number in sorted(numbers(state), reverse=True):
        try:
            yield load(state, str(number)).receipt
        except EnvironmentFailure as damage:
            yield Receipt(id=str(number), notes=(str(damage),))


def contents(state: StateDir, number: str) -> tuple[Contents, ...]:
    """The files of a receipt with their bytes, as far as the backup has them."""
    receipt = load(state, number).receipt
    stored = backup.read(state.backups, backup.name(number))
    files = []
    for written in receipt.files:
        before, after = stored.get(written.before), stored.get(written.after)
        lost = bool(written.before) > (before is not None) or bool(written.after) > (after is not None)
        files.append(Contents(written, before, after, lost))
    return tuple(files)


def anchors(state: StateDir) -> Iterator[tuple[int, Anchor]]:
    """The position in the audit log that each receipt has; raises for a damaged receipt."""
    for number in sorted(numbers(state)):
        yield number, load(state, str(number)).anchor


def last_to_reverse(state: StateDir, kind: Kind) -> str:
    """The last change that was not undone or, for a redo, the last undo that was not redone."""
    for receipt, reversed_by in _with_reversals(state):
        if not reversed_by and (receipt.kind == "undo") is (kind == "redo") and not receipt.notes:
            return receipt.id
    raise NeedsDecision(f"there is nothing to {kind}")


def _with_reversals(state: StateDir) -> Iterator[tuple[Receipt, str]]:
    """Receipts, newest first, each with the one that reversed it; one that was reversed itself reverses nothing."""
    reversals: dict[str, str] = {}
    for receipt in newest_first(state):
        by = reversals.get(receipt.id, "")
        if receipt.reverses and not by:
            reversals[receipt.reverses] = receipt.id
        yield receipt, by


def require_in_effect(state: StateDir, number: str) -> None:
    """Raise where a change was undone already."""
    for receipt, by in _with_reversals(state):
        if receipt.id == number:
            if by:
                raise NeedsDecision(f"change {number} was undone already, by change {by}")
            return


def reversal(state: StateDir, commit: Journal) -> WriteSet:
    """The steps back; raises StaleFile with every file that holds later work."""
    contents = backup.read(state.backups, backup.name(commit.receipt.id))
    missing = [str(entry.path) for entry in commit.entries if entry.old and entry.old not in contents]
    if missing:
        raise NeedsDecision(f"change {commit.receipt.id} cannot be undone: its backup is gone ({', '.join(missing)})")
    steps: list[FileWrite] = []
    changed: list[RepoPath] = []
    for entry in commit.entries:
        try:
            present = confined_open.read(state.root, entry.path)
            is_changed = (backup.digest(present.data) if present else "") != entry.new
        except ReplyRejected:
            is_changed = True
        if is_changed:
            changed.append(entry.path)
            continue
        old, meta = (present.data, present.meta) if present else (None, None)
        steps.append(FileWrite(entry.path, old, contents[entry.old] if entry.old else None, meta, entry.old_meta))
    if changed:
        raise StaleFile(_would_lose(state, commit.receipt, changed))
    # New places first: at no moment is the content of a moved file nowhere.
    ordered = tuple(sorted(steps, key=lambda step: step.new is None))
    return write_set.with_directories(state.root, ordered, removed=tuple(reversed(commit.made)))


def _would_lose(state: StateDir, receipt: Receipt, changed: list[RepoPath]) -> str:
    later = [other.id for other in newest_first(state) if int(other.id) > int(receipt.id)]
    ours = [number for number in later if any(entry.path in changed for entry in load(state, number).entries)]
    by = f", by change {', '.join(reversed(ours))}" if ours else ""
    names = ", ".join(map(str, changed))
    return f"undoing change {receipt.id} would lose later work: {names} changed since{by}; nothing was written"


def reversed_receipt(receipt: Receipt, kind: Kind) -> Receipt:
    files = []
    for written in reversed(receipt.files):
        back = replace(written, action=_INVERSE[written.action], before=written.after, after=written.before)
        files.append(replace(back, path=written.source, source=written.path) if written.source else back)
    summary = f"{kind} of change {receipt.id}" + (f": {receipt.summary}" if receipt.summary else "")
    return replace(receipt, files=tuple(files), kind=kind, summary=summary, reverses=receipt.id, notes=())
