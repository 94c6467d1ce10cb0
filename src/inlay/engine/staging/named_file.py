"""What the name of a file in a reply is worth: announced where it was read as another, proven where it was guessed."""

from __future__ import annotations

from dataclasses import replace

from inlay.engine.staging.located import NotLocated, script
from inlay.errors import Misfit
from inlay.model.change import Change
from inlay.model.edit import Edit, Part, Update
from inlay.model.file import Snapshot
from inlay.model.match import IN_PLACE


def announced(change: Change, snapshot: Snapshot) -> Change:
    """The change with what its names were read as."""
    paths = dict.fromkeys((change.path, change.target))
    adapted = tuple(snapshot.adapted[path] for path in paths if path in snapshot.adapted)
    return replace(change, adapted=adapted) if adapted else change


def about(part: Part, misfit: Misfit, snapshot: Snapshot) -> Misfit:
    """The misfit with the name of its file as written, and what that was read as."""
    name = str(part.path or "")
    note = snapshot.adapted.get(snapshot.names[name]) if name in snapshot.names else None
    message = f"{misfit.message} ({note})" if note else misfit.message
    return replace(misfit, path=misfit.path or name, message=message)


def require_proof(part: Part, change: Change, snapshot: Snapshot) -> None:
    """Raise where the name was guessed, and no old text of an edit was found to confirm the guess.

    The new text confirms nothing: it may well have been written to another file before.
    """
    if change.path not in snapshot.guesses:
        return
    quoting = {edit.number for edit in part.edits if _quotes(edit)} if isinstance(part, Update) else set()
    if not any(match.edit in quoting and match.rule != IN_PLACE for match in change.matches):
        message = f"there is no file {part.path}, and no text of the edit shows that {change.path} is meant"
        raise NotLocated(Misfit("missing", message, "Write the full path of the file you mean."))


def _quotes(edit: Edit) -> bool:
    """Whether the edit repeats text that the file should have."""
    return any(text.strip() for variant in edit.variants for kind, text in script(variant) if kind != "+")
