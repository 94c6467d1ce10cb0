"""The write set that undoes a commit: every name gets what it held before, provided it still holds what it got."""

from __future__ import annotations

from dataclasses import replace

from inlay.errors import NeedsDecision, ReplyRejected, StaleFile
from inlay.model.file import RepoPath
from inlay.model.receipt import Action, Kind, Receipt
from inlay.storage.paths import confined_open
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, receipts, write_set
from inlay.storage.transaction.journal import Journal
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
    later = [other.id for other in receipts.newest_first(state) if int(other.id) > int(receipt.id)]
    ours = [number for number in later if any(entry.path in changed for entry in receipts.load(state, number).entries)]
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
