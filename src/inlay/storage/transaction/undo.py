"""The plan that takes a commit back: every name gets what it held before, provided it still holds what it got."""

from __future__ import annotations

from dataclasses import replace

from inlay.errors import NeedsDecision, ReplyRejected, StaleFile
from inlay.model.file import RepoPath
from inlay.model.receipt import Action, Receipt, Written
from inlay.storage.paths import confined_open
from inlay.storage.state.state_dir import Home
from inlay.storage.transaction import backup, receipts
from inlay.storage.transaction import write_set as plans
from inlay.storage.transaction.journal import Journal, JournalEntry
from inlay.storage.transaction.write_set import FileWrite, WriteSet

_INVERSE: dict[Action, Action] = {"created": "deleted", "deleted": "created", "updated": "updated", "moved": "moved"}


def plan(at: Home, found: Journal) -> WriteSet:
    """The steps back; raises StaleFile with every file that holds later work."""
    contents = backup.read(at.backups, backup.name(found.receipt.id))
    missing = [str(entry.path) for entry in found.entries if entry.old and entry.old not in contents]
    if missing:
        raise NeedsDecision(f"change {found.receipt.id} cannot be undone: its backup is gone ({', '.join(missing)})")
    held = {entry.path: _held(at.root, entry) for entry in found.entries}
    changed = [path for path, content in held.items() if isinstance(content, StaleFile)]
    if changed:
        raise StaleFile(_would_lose(at, found.receipt, changed))
    steps = [_step(entry, held[entry.path], contents) for entry in found.entries]
    # What comes back first: at no moment is the content of a moved file nowhere.
    ordered = tuple(sorted(steps, key=lambda step: step.new is None))
    return plans.planned(at.root, ordered, removed=tuple(reversed(found.made)))


def _held(root: int, entry: JournalEntry) -> confined_open.Content | StaleFile | None:
    """What stands at a name now, or the fact that it is not what the commit left there."""
    try:
        content = confined_open.read(root, entry.path)
    except ReplyRejected:
        return StaleFile()
    if (backup.digest(content.data) if content else "") != entry.new:
        return StaleFile()
    return content


def _step(entry: JournalEntry, held: confined_open.Content | StaleFile | None, contents: dict[str, bytes]) -> FileWrite:
    assert not isinstance(held, StaleFile)
    old, meta = (held.data, held.meta) if held else (None, None)
    return FileWrite(entry.path, old, contents[entry.old] if entry.old else None, meta, entry.old_meta)


def _would_lose(at: Home, receipt: Receipt, changed: list[RepoPath]) -> str:
    names = ", ".join(map(str, changed))
    later = [other.id for other in receipts.newest_first(at) if int(other.id) > int(receipt.id)]
    ours = [number for number in later if _touches(at, number, changed)]
    by = f", by change {', '.join(reversed(ours))}" if ours else ""
    return f"undoing change {receipt.id} would lose later work: {names} changed since{by}; nothing was written"


def _touches(at: Home, number: str, paths: list[RepoPath]) -> bool:
    return any(entry.path in paths for entry in receipts.load(at, number).entries)


def receipt(found: Receipt, kind: str) -> Receipt:
    """What is said about taking a change back."""
    files = tuple(_inverse(written) for written in reversed(found.files))
    summary = f"{kind} of change {found.id}" + (f": {found.summary}" if found.summary else "")
    return replace(found, files=files, kind=kind, summary=summary, reverses=found.id, notes=())  # type: ignore[arg-type]


def _inverse(written: Written) -> Written:
    back = replace(written, action=_INVERSE[written.action], before=written.after, after=written.before)
    return replace(back, path=written.source, source=written.path) if written.source else back
