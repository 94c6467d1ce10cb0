"""Which findings turn a staged change into a refusal."""

from __future__ import annotations

from collections.abc import Container, Iterable

from inlay.errors import EditsRefused, Misfit
from inlay.model.finding import Finding

_ADVICE = {
    "syntax": "Fix the edit so that the file still parses; check brackets, indentation and repeated lines.",
    "shrinkage": "Send the whole new content, or send edits instead of the whole file.",
    "elided": "Write out every line, without placeholders.",
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
    return _ADVICE.get(code, "Fix the edit so that this no longer happens.")
