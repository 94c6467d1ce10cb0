"""What was committed and whether it was undone: receipts and their contents."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.errors import EnvironmentFailure, NeedsDecision, UnknownReceipt
from inlay.model.receipt import Contents, Kind, Receipt, Written
from inlay.storage.audit_log import Anchor
from inlay.storage.state import atomic_write
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, journal
from inlay.storage.transaction.journal import Journal
from inlay.storage.transaction.transaction import numbers


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
    commit = load(state, number)
    stored = backup.read(state.backups, backup.name(number))
    files = []
    for written in commit.receipt.files:
        before, after = stored.get(written.before), stored.get(written.after)
        lost = bool(written.before) > (before is not None) or bool(written.after) > (after is not None)
        files.append(Contents(written, before, after, lost, _executable(commit, written)))
    return tuple(files)


def _executable(commit: Journal, written: Written) -> bool | None:
    """Whether the file may be run since; None where that did not change."""
    entries = {entry.path: entry for entry in commit.entries}
    old, new = entries.get(written.source or written.path), entries.get(written.path)
    if new is None or new.new_meta is None:
        return None
    before, after = (bool(meta and meta.mode & 0o100) for meta in (old and old.old_meta, new.new_meta))
    return after if before != after else None


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
