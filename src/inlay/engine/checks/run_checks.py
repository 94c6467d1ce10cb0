"""Looks at what a change set would do to the files and says what is suspicious about it.

To add a check, write one module with `check(change, added)` and name it in `_CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from inlay.engine import languages
from inlay.engine.checks.added_lines import Line, added_lines
from inlay.engine.checks.rules import bidi, markers, placeholders, shrinkage, syntax
from inlay.model.allowance import ALLOWANCES
from inlay.model.change import Change, ChangeSet
from inlay.model.finding import Finding

_Check: TypeAlias = Callable[[Change, tuple[Line, ...]], Iterable[Finding]]

# What these find a person may approve; what the others find is broken even if approved.
_DECIDABLE: tuple[_Check, ...] = (shrinkage.check, bidi.check)
_CHECKS: tuple[_Check, ...] = (*_DECIDABLE, markers.check, placeholders.check, syntax.check)
#: Codes of errors that a person may decide about.
DECIDABLE = frozenset({"shrinkage", "bidi"})


def run(changes: ChangeSet, *, only_decidable: bool = False) -> tuple[Finding, ...]:
    """All findings on all changes, by path and line; only what a change adds counts, and nothing that is allowed."""
    allowed = {ALLOWANCES[name] for name in changes.allow}
    findings: list[Finding] = []
    for change in changes.changes:
        if _has_new_text(change):
            added = added_lines(change)
            for check in _DECIDABLE if only_decidable else _CHECKS:
                findings += (finding for finding in check(change, added) if finding.code not in allowed)
    return tuple(sorted(findings, key=lambda finding: (finding.path, finding.line, finding.code, finding.message)))


def unchecked(changes: ChangeSet) -> tuple[str, ...]:
    """Why the syntax of some changes is not checked: a sentence for each language, however many files it has."""
    missing = (
        languages.missing_parser(change.target, change.after or "")
        for change in changes.changes
        if _has_new_text(change)
    )
    return tuple(dict.fromkeys(f"not checked: {why}" for why in missing if why))


def _has_new_text(change: Change) -> bool:
    return change.after is not None and (change.before is None or change.before.text != change.after)
