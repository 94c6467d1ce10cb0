"""Which findings and encodings turn a staged change into a refusal."""

from __future__ import annotations

from collections.abc import Container, Iterable

from inlay.errors import EditsRefused, Misfit
from inlay.model.change import Change, ChangeSet
from inlay.model.finding import Finding

_ADVICE = {
    "syntax": "Fix the edit so that the file still parses; check brackets, indentation and repeated lines.",
    "shrinkage": "Send the whole new content, or send edits instead of the whole file.",
    "elision": "Write out every line, without placeholders.",
    "conflict-marker": "Leave the markers of the edit format out of the content.",
    "tool-tag": "Leave the tags of the tool call out of the content.",
    "bidi": "Leave invisible characters out, or write them as escapes.",
}


def raise_for(findings: Iterable[Finding], *, decidable: Container[str] = ()) -> None:
    """Raise with every error among the findings, except those that a person may decide about."""
    misfits = [
        Misfit(
            finding.code,
            finding.message + (f" (line {finding.line} after the edit)" if finding.line else ""),
            advice_for(finding.code),
            path=str(finding.path),
        )
        for finding in findings
        if finding.severity == "error" and finding.code not in decidable
    ]
    if misfits:
        raise EditsRefused(*misfits)


def advice_for(code: str) -> str:
    """What to do about a finding."""
    return _ADVICE.get(code, "Fix the edit so that this no longer happens.")


def raise_for_unwritable(changes: ChangeSet) -> None:
    """Raise with every file whose encoding lacks a character that an edit adds."""
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
    before = change.before
    if before is None or not before.encoding.legacy:
        return None
    existing = set(before.text.split("\n"))
    if all(line.isascii() for line in (change.after or "").split("\n") if line not in existing):
        return None
    message = f"{change.target} is not in UTF-8, so new text in it must be ASCII"
    return Misfit("encoding", message, "Use ASCII or escapes in new lines.", path=str(change.target))
