"""What turns a staged change into a refusal after all."""

from __future__ import annotations

from collections.abc import Container, Iterable

from inlay.engine.checks.rules.encoding import unwritable
from inlay.errors import EditsRefused, Misfit
from inlay.model.change import ChangeSet
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
    misfits = [misfit for change in changes.changes if (misfit := unwritable(change))]
    if misfits:
        raise EditsRefused(*misfits)
