"""The write set that undoes a commit: every name gets what it held before, and lines that changed since are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from inlay.errors import NeedsDecision, ReplyRejected, StaleFile
from inlay.model.file import RepoPath, decode
from inlay.model.receipt import Action, Kind, LaterWork, Receipt, Written
from inlay.storage.paths import confined_open
from inlay.storage.paths.confined_open import Content
from inlay.storage.state.state_dir import StateDir
from inlay.storage.transaction import backup, receipts, write_set
from inlay.storage.transaction.journal import Journal, JournalEntry
from inlay.storage.transaction.write_set import FileWrite, WriteSet
from inlay.text.three_way import merge

_INVERSE: dict[Action, Action] = {"created": "deleted", "deleted": "created", "updated": "updated", "moved": "moved"}


@dataclass(frozen=True, slots=True)
class Reversal:
    """The steps back, and the receipt that they get."""

    writes: WriteSet
    receipt: Receipt
    notes: tuple[str, ...] = ()  #: what the user should know


@dataclass(slots=True)
class _Way:
    """What is known of the way back so far."""

    contents: dict[str, bytes]
    force: bool
    moved_since: frozenset[RepoPath]
    steps: dict[RepoPath, FileWrite] = field(default_factory=dict)
    merged: list[RepoPath] = field(default_factory=list)
    lost: list[LaterWork] = field(default_factory=list)


def reversal(state: StateDir, commit: Journal, kind: Kind, *, force: bool = False) -> Reversal:
    """The way back; raises StaleFile with all later work that would be lost, unless it may be."""
    contents = backup.read(state.backups, backup.name(commit.receipt.id))
    missing = [str(entry.path) for entry in commit.entries if entry.old and entry.old not in contents]
    if missing:
        raise NeedsDecision(f"change {commit.receipt.id} cannot be undone: its backup is gone ({', '.join(missing)})")
    later = [receipt for receipt in receipts.newest_first(state) if int(receipt.id) > int(commit.receipt.id)]
    moved = frozenset(written.source for receipt in later for written in receipt.files if written.source)
    way = _Way(contents, force, moved)
    sources = {written.path: written.source for written in commit.receipt.files if written.source}
    entries = {entry.path: entry for entry in commit.entries}
    for entry in commit.entries:
        if entry.path not in way.steps:
            source = sources.get(entry.path)
            _add_step(state, way, entry, entries.get(source) if source else None)
    if way.lost:
        raise StaleFile(_would_lose(state, commit.receipt, later, way.lost), tuple(way.lost))
    # New places first: at no moment is the content of a moved file nowhere.
    ordered = tuple(sorted(way.steps.values(), key=lambda step: step.new is None))
    writes = write_set.with_directories(state.root, ordered, removed=tuple(reversed(commit.made)))
    notes = tuple(f"{path}: later changes of other lines were kept" for path in way.merged)
    return Reversal(writes, _reversed_receipt(commit.receipt, kind, way.steps), notes)


def _add_step(state: StateDir, way: _Way, entry: JournalEntry, source: JournalEntry | None) -> None:
    """The step back for one name; `source` is the entry of the name that a moved file had before."""
    try:
        present = confined_open.read(state.root, entry.path)
        is_free = source is None or confined_open.status(state.root, source.path) is None
    except ReplyRejected:
        way.lost.append(LaterWork(entry.path))
        return
    now = backup.digest(present.data) if present else ""
    old, meta = (present.data, present.meta) if present else (None, None)
    if now == entry.old != entry.new:
        # It is what it was before, unless what the commit made is elsewhere now.
        if not present and not way.force and entry.path in way.moved_since:
            way.lost.append(LaterWork(entry.path))
        return
    if now != entry.new and present is not None and is_free:
        content = _merged(way, entry, source or entry, present)
        if content is not None:
            way.merged.append(entry.path)
            if source is None:
                mode_kept = entry.old_meta if meta == entry.new_meta else meta
                way.steps[entry.path] = FileWrite(entry.path, old, content, meta, mode_kept)
            else:
                way.steps[entry.path] = FileWrite(entry.path, old, None, meta)
                way.steps[source.path] = FileWrite(source.path, None, content, None, source.old_meta)
            return
    if now == entry.new or way.force:
        content = way.contents[entry.old] if entry.old else None
        way.steps[entry.path] = FileWrite(entry.path, old, content, meta, entry.old_meta)
    elif all(work.path != entry.path for work in way.lost):
        way.lost.append(LaterWork(entry.path))


def _merged(way: _Way, entry: JournalEntry, earlier: JournalEntry, present: Content) -> bytes | None:
    """The file as it is without what the commit did to it; None where that cannot be told apart from later work."""
    versions = way.contents.get(entry.new), present.data, way.contents.get(earlier.old)
    decoded = [text for data in versions if data is not None and (text := decode(data)) is not None]
    if len(decoded) < len(versions) or decoded[1][1] != decoded[2][1]:
        return None
    result = merge(*(text for text, _ in decoded))
    problem = "" if way.force else next(_problems(entry.path, present.data, result.text), "")
    if way.force or not (result.conflicts or problem):
        return decoded[1][1].encode(result.text)
    lines = tuple((conflict.line, conflict.line + max(len(conflict.ours), 1) - 1) for conflict in result.conflicts)
    way.lost.append(LaterWork(entry.path, lines, problem))
    return None


def _problems(path: RepoPath, present: bytes, text: str) -> Iterator[str]:
    """What the checks find in a merged file."""
    from inlay.engine import checks
    from inlay.model.change import Change, ChangeSet
    from inlay.model.file import File

    change = Change(path, File.of(str(path), present), text)
    return (finding.message for finding in checks.run(ChangeSet((change,))) if finding.severity == "error")


def _would_lose(state: StateDir, receipt: Receipt, later: list[Receipt], lost: list[LaterWork]) -> str:
    changed = {work.path for work in lost}
    ids = [other.id for other in later if not other.notes]
    ours = [number for number in ids if any(entry.path in changed for entry in receipts.load(state, number).entries)]
    by = f", by change {', '.join(reversed(ours))}" if ours else ""
    names = ", ".join(map(str, lost))
    head = f"undoing change {receipt.id} would lose later work: {names} changed since{by}"
    return f"{head}; nothing was written; with --force the earlier lines are restored there"


def _reversed_receipt(receipt: Receipt, kind: Kind, steps: dict[RepoPath, FileWrite]) -> Receipt:
    """The receipt of the way back, without files that are what they were before."""
    files = [file for written in reversed(receipt.files) for file in _reversed_file(written, steps)]
    summary = f"{kind} of change {receipt.id}" + (f": {receipt.summary}" if receipt.summary else "")
    return replace(receipt, files=tuple(files), kind=kind, summary=summary, reverses=receipt.id, notes=())


def _reversed_file(written: Written, steps: dict[RepoPath, FileWrite]) -> Iterator[Written]:
    left, reached = steps.get(written.path), steps.get(written.source or written.path)
    before = backup.digest(left.old) if left and left.old is not None else ""
    after = backup.digest(reached.new) if reached and reached.new is not None else ""
    if written.source is None:
        if left:
            yield Written(written.path, _INVERSE[written.action], before, after)
    elif left and reached:
        yield Written(written.source, "moved", before, after, source=written.path)
    elif left:
        yield Written(written.path, "deleted", before)
    elif reached:
        yield Written(written.source, "created", after=after)
