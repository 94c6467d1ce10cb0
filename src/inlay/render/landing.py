"""The result of applying a reply.

A program reads `landing_json` and decides by it, so it has the full digests, every match and every finding as data. A
model reads `landing_brief`: a sentence, the diff, and hashes that are short enough to repeat.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from inlay.landing.land import Landing
from inlay.model.change import Change
from inlay.model.decision import fingerprint
from inlay.model.finding import Finding
from inlay.render.change import change_brief, change_json, change_text
from inlay.render.diff import unified_diff
from inlay.render.need import need_json, need_text

_MOST_DIFF = 10 * 1024  # bytes of diff in a brief, all files together


def landing_json(landing: Landing) -> dict[str, Any]:
    status = "unchanged" if not _changed(landing) else "applied" if landing.receipt else "dry-run"
    return {
        "status": status,
        "format": landing.reading.format,
        "receipt": landing.receipt.id if landing.receipt else None,
        "digest": fingerprint(landing.changes),
        "files": [change_json(change) for change in landing.changes.changes],
        "skipped": [str(path) for path in landing.skipped],
        "needs": [need_json(need) for need in landing.needs],
        "findings": [{**asdict(finding), "path": str(finding.path)} for finding in landing.findings],
        "warnings": _notes(landing),
    }


def landing_brief(landing: Landing) -> dict[str, Any]:
    changed = _changed(landing)
    lines = "; ".join(change_text(change) for change in landing.changes.changes)
    if landing.receipt is None:
        approval = " The user would have to approve it." if landing.needs else ""
        kind, message = "preview", f"Nothing was written. This would be applied: {lines}.{approval}"
    elif changed:
        kind, message = "applied", f"{lines}. This is change {landing.receipt.id}."
    else:
        kind, message = "unchanged", "Everything is already in place; nothing was written."
    share = _MOST_DIFF // max(1, len(changed))
    warnings = dict.fromkeys([*_notes(landing), *map(_finding_text, landing.findings)])
    return {
        "kind": kind,
        "message": message,
        "receipt": (landing.receipt.id or None) if landing.receipt else None,
        "files": [change_brief(change) for change in landing.changes.changes],
        "diff": "".join(unified_diff(change, share) for change in changed),
        "warnings": list(warnings),
        **({"reasons": [need_text(need) for need in landing.needs]} if landing.needs else {}),
    }


def landing_warnings(landing: Landing) -> list[str]:
    """A line for each warning: of the reply, of the checks, and of files that need approval."""
    undecided = landing.needs if landing.receipt is None else ()
    return [
        *_notes(landing),
        *map(_finding_text, landing.findings),
        *(f"{need.path} would need approval: {need.headline[0].lower()}{need.headline[1:]}" for need in undecided),
    ]


def landing_summary(landing: Landing) -> str:
    changed = len(_changed(landing))
    skipped = f" {len(landing.skipped)} skipped." if landing.skipped else ""
    if not changed:
        return f"Nothing was written.{skipped}" if skipped else "Nothing to do: everything is already in place."
    files = "1 file" if changed == 1 else f"{changed} files"
    if landing.receipt is None:
        return f"Dry run: {files} would change, nothing was written."
    receipt = f" This is change {landing.receipt.id}." if landing.receipt.id else ""
    return f"Done: {files} changed.{skipped}{receipt}"


def _finding_text(finding: Finding) -> str:
    """One line, as compilers write it."""
    line = f":{finding.line}" if finding.line else ""
    return f"{finding.path}{line}: {finding.message} [{finding.code}]"


def _changed(landing: Landing) -> list[Change]:
    return [change for change in landing.changes.changes if not change.is_noop]


def _notes(landing: Landing) -> list[str]:
    return [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings, *landing.unchecked))]
