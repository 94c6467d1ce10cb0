"""How a proposed change is kept in a run's folder, and how it comes back from there the same."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.model.match import Match
from inlay.storage.stores.runs import RunFolder


def keep(changes: ChangeSet, folder: RunFolder) -> str:
    """Keep changes; tells the digest by which they are found."""
    told = {"format": changes.format, "changes": [_told(change, folder) for change in changes.changes]}
    return folder.put(json.dumps(told, sort_keys=True))


def kept(digest: str, folder: RunFolder) -> ChangeSet:
    """Changes that were kept."""
    told = json.loads(folder.get(digest))
    return ChangeSet(tuple(_change(each, folder) for each in told["changes"]), told["format"])


def _told(change: Change, folder: RunFolder) -> dict[str, Any]:
    before = change.before
    return {
        "path": str(change.path),
        "move_to": str(change.move_to) if change.move_to else None,
        "before": None if before is None else folder.put(before.encoding.encode(before.text)),
        "mode": before.mode if before else 0,
        "after": None if change.after is None else folder.put(change.after),
        "matches": [asdict(match) for match in change.matches],
    }


def _change(told: dict[str, Any], folder: RunFolder) -> Change:
    before = None if told["before"] is None else _file(told["path"], folder.get(told["before"]), told["mode"])
    after = None if told["after"] is None else folder.text(told["after"])
    matches = tuple(Match(**{**match, "adapted": tuple(match["adapted"])}) for match in told["matches"])
    move_to = RepoPath(told["move_to"]) if told["move_to"] else None
    return Change(RepoPath(told["path"]), before, after, matches, move_to)


def _file(path: str, data: bytes, mode: int) -> File:
    found = File.of(path, data)
    return File(found.path, found.text, found.encoding, found.digest, mode)
