"""What was committed and what has become of it: receipts, their contents, and which of them still stand."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.errors import EnvironmentFailure, NeedsDecision, UnknownReceipt
from inlay.model.receipt import Contents, Receipt
from inlay.storage.state import state_dir
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup, journal
from inlay.storage.transaction.journal import Anchor, Journal
from inlay.storage.transaction.transaction import numbers


def load(at: Home, number: str) -> Journal:
    """A sealed journal; raises UnknownReceipt."""
    data = state_dir.read(at.receipts, journal.receipt_name(number)) if number.isascii() and number.isdigit() else b""
    if not data:
        raise UnknownReceipt(f"there is no change {number[:40]!r}; `inlay history` lists all there are")
    return journal.from_bytes(data, f".inlay/receipts/{journal.receipt_name(number)}")


def newest_first(at: Home) -> Iterator[Receipt]:
    """All receipts; a damaged one says so instead of hiding the others."""
    for number in sorted(numbers(at), reverse=True):
        try:
            yield load(at, str(number)).receipt
        except EnvironmentFailure as damage:
            yield Receipt(id=str(number), notes=(str(damage),))


def contents(at: Home, number: str) -> tuple[Contents, ...]:
    """The files of a receipt with their bytes, as far as the backup is there."""
    receipt = load(at, number).receipt
    found = backup.read(at.backups, backup.name(number))
    shown = []
    for written in receipt.files:
        before, after = found.get(written.before), found.get(written.after)
        lost = bool(written.before) > (before is not None) or bool(written.after) > (after is not None)
        shown.append(Contents(written, before, after, lost))
    return tuple(shown)


def anchors(at: Home) -> Iterator[tuple[int, Anchor]]:
    """What every receipt says about the audit log; raises for a damaged receipt."""
    for number in sorted(numbers(at)):
        yield number, load(at, str(number)).anchor


def last_standing(at: Home) -> str:
    """The last change that has not been taken back."""
    return _last(at, undone=False, otherwise="there is nothing to undo")


def last_undone(at: Home) -> str:
    """The last undo that has not been taken back itself."""
    return _last(at, undone=True, otherwise="there is nothing to redo")


def _last(at: Home, *, undone: bool, otherwise: str) -> str:
    for receipt, taken_back_by in _standing(at):
        if not taken_back_by and (receipt.kind == "undo") is undone and not receipt.notes:
            return receipt.id
    raise NeedsDecision(otherwise)


def _standing(at: Home) -> Iterator[tuple[Receipt, str]]:
    """Receipts, newest first, each with the one that took it back; what was taken back itself took back nothing."""
    taken_back: dict[str, str] = {}
    for receipt in newest_first(at):
        by = taken_back.get(receipt.id, "")
        if receipt.reverses and not by:
            taken_back[receipt.reverses] = receipt.id
        yield receipt, by


def require_standing(at: Home, number: str) -> None:
    """Raise where a change has been taken back already."""
    for receipt, by in _standing(at):
        if receipt.id == number:
            if by:
                raise NeedsDecision(f"change {number} has been taken back already, by change {by}")
            return
