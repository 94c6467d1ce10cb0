"""Changes of files that were changed since they were read: merged with the files as they are, where that is clear."""

from __future__ import annotations

from dataclasses import replace

from inlay.errors import InlayError
from inlay.model.change import Change, ChangeSet
from inlay.model.file import BaseText
from inlay.storage import Workspace
from inlay.text.three_way import merge


def brought_up_to_date(changes: ChangeSet, workspace: Workspace) -> ChangeSet:
    """The same changes of the files as they are now; a change that conflicts with them stays as it is, and is stale."""
    return replace(changes, changes=tuple(_current(change, workspace) for change in changes.changes))


def _current(change: Change, workspace: Workspace) -> Change:
    try:
        now = workspace.read(change.path)
    except InlayError:
        return change
    before, after = change.before, change.after
    if now is None or before is None or after is None:
        return change
    if now.digest == before.digest or now.encoding != before.encoding:
        return change
    result = merge(before.text, now.text, after)
    if result.conflicts:
        return change
    note = BaseText("").note
    matches = tuple(replace(match, adapted=(*match.adapted, note)) for match in change.matches)
    return replace(change, before=now, after=result.text, matches=matches)
