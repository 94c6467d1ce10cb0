"""The write set that undoes a commit: every name gets what it held before, provided it still holds what it got."""

from __future__ import annotations

from dataclasses import replace

from inlay.errors import NeedsDecision, ReplyRejected, StaleFile
from inlay.model.file import RepoPath
from inlay.model.receipt import Action, Kind, Receipt, Written
from inlay.storage.paths import confined_open
from inlay.storage.paths.confined_open import Content
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, receipts, write_set
from inlay.storage.transaction.journal import Journal, JournalEntry
from inlay.storage.transaction.write_set import FileWrite, WriteSet

_INVERSE: dict[Action, Action] = {"created": "deleted", "deleted": "created", "updated": "updated", "moved": "moved"}


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
            present = _unchanged(state.root, entry)
        except (ReplyRejected, StaleFile):
            changed.append(entry.path)
            continue
        old, meta = (present.data, present.meta) if present else (None, None)
        steps.append(FileWrite(entry.path, old, contents[entry.old] if entry.old else None, meta, entry.old_meta))
    if changed:
        raise StaleFile(_would_lose(state, commit.receipt, changed))
    # New places first: at no moment is the content of a moved file nowhere.
    ordered = tuple(sorted(steps, key=lambda step: step.new is None))
    return write_set.with_directories(state.root, ordered, removed=tuple(reversed(commit.made)))


def _unchanged(root: int, entry: JournalEntry) -> Content | None:
    """The file of a name; raises StaleFile where it is not what the commit left there."""
    content = confined_open.read(root, entry.path)
    if (backup.digest(content.data) if content else "") != entry.new:
        raise StaleFile
    return content


def _would_lose(state: StateDir, receipt: Receipt, changed: list[RepoPath]) -> str:
    later = [other.id for other in receipts.newest_first(state) if int(other.id) > int(receipt.id)]
    ours = [number for number in later if any(entry.path in changed for entry in receipts.load(state, number).entries)]
    by = f", by change {', '.join(reversed(ours))}" if ours else ""
    names = ", ".join(map(str, changed))
    return f"undoing change {receipt.id} would lose later work: {names} changed since{by}; nothing was written"


def reversed_receipt(receipt: Receipt, kind: Kind) -> Receipt:
    """The receipt of an undo or redo."""
    files = tuple(_inverse(written) for written in reversed(receipt.files))
    summary = f"{kind} of change {receipt.id}" + (f": {receipt.summary}" if receipt.summary else "")
    return replace(receipt, files=files, kind=kind, summary=summary, reverses=receipt.id, notes=())


def _inverse(written: Written) -> Written:
    back = replace(written, action=_INVERSE[written.action], before=written.after, after=written.before)
    return replace(back, path=written.source, source=written.path) if written.source else back
