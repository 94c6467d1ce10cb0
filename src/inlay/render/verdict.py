"""A verdict on a commit message."""

from __future__ import annotations

from typing import Any

from inlay.model.commit import Verdict


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "commit": verdict.commit or None,
        "subject": verdict.subject,
        "outcome": verdict.outcome,
        "exempt": verdict.exempt or None,
        "issues": [
            {
                "rule": issue.rule,
                "severity": issue.severity,
                "section": issue.section,
                "line": issue.line,
                "explanations": list(issue.explanations),
            }
            for issue in verdict.issues
        ],
        "unchecked": list(verdict.unchecked),
        "summary": verdict.summary or None,
        "suggestion": verdict.suggestion or None,
        "unseen": list(verdict.unseen),
    }


def verdict_brief(verdict: Verdict) -> dict[str, Any]:
    issues = [
        {"rule": issue.rule, "severity": issue.severity, "line": issue.line, "message": issue.explanation}
        for issue in verdict.issues
    ]
    return {
        "commit": verdict.commit,
        "subject": verdict.subject,
        "outcome": verdict.outcome,
        "issues": issues,
        **({"unchecked": list(verdict.unchecked)} if verdict.unchecked else {}),
        **({"exempt": verdict.exempt} if verdict.exempt else {}),
    }
