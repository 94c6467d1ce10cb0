"""What turns a staged change into a refusal after all."""

from __future__ import annotations

from collections.abc import Container, Iterable

from inlay.errors import EditsRefused, Misfit
from inlay.model.change import Change, ChangeSet
from inlay.model.finding import Finding

_ADVICE = {
    "syntax": "Mend the edit so that the file still parses; mind brackets, indentation and repeated lines.",
    "shrinkage": "Send the whole new content, or send edits instead of the whole file.",
    "elided": "Write out every line; nothing stands for the rest of the file.",
    "conflict-marker": "Leave the markers of the edit format out of the content.",
    "tool-tag": "Leave the tags of the tool call out of the content.",
    "bidi": "Leave invisible characters out, or write them as escapes.",
}


def raise_for(findings: Iterable[Finding], *, decidable: Container[str] = ()) -> None:
    """Raise with every finding that blocks a landing, but for those that a person may decide about."""
    errors = [finding for finding in findings if finding.severity == "error" and finding.code not in decidable]
    misfits = [_misfit(finding) for finding in errors]
    if misfits:
        raise EditsRefused(*misfits)


def _misfit(finding: Finding) -> Misfit:
    where = f" (line {finding.line} after the edit)" if finding.line else ""
    return Misfit(finding.code, f"{finding.message}{where}", advice_for(finding.code), path=str(finding.path))


def advice_for(code: str) -> str:
    """What to do about a finding."""
    return _ADVICE.get(code, "Mend the edit so that this no longer happens.")


def raise_for_unwritable(changes: ChangeSet) -> None:
    """Raise with every file whose encoding has no room for what an edit puts into it."""
    misfits = [misfit for change in changes.changes if (misfit := _unwritable(change))]
    if misfits:
        raise EditsRefused(*misfits)


def _unwritable(change: Change) -> Misfit | None:
    try:
        _ = change.content
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        message = f"{change.target} is {error.encoding}, which has no way to write {character!r}"
        return Misfit("encoding", message, "Use characters that the file's encoding has.", path=str(change.target))
    if change.before and change.before.encoding.legacy and not _adds_ascii_only(change.before.text, change.after or ""):
        message = f"{change.target} is not in UTF-8, so new text in it must be ASCII"
        return Misfit("encoding", message, "Use ASCII or escapes in new lines.", path=str(change.target))
    return None


def _adds_ascii_only(before: str, after: str) -> bool:
    had = set(before.split("\n"))
    return all(line.isascii() for line in after.split("\n") if line not in had)
