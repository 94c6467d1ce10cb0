"""How a landing is told, to a person and to a program; serves every command that lands something."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from inlay.cli.output.diff_text import change_lines
from inlay.cli.output.terminal import Painter, say
from inlay.landing.land import Landing
from inlay.model.change import Change
from inlay.model.decision import Need, content_digest, fingerprint
from inlay.model.match import Match


def tell(landing: Landing) -> None:
    """Differences and a summary on standard output, warnings on the error stream."""
    paint = Painter(sys.stdout)
    for change in landing.changes.changes:
        say("\n".join(_change_lines(change, paint)))
    aside = Painter(sys.stderr)
    for warning in _warnings(landing):
        say(f"{aside('!', 'yellow')} {aside(warning)}", err=True)
    say(paint(_summary(landing), "green", bold=True))


def _warnings(landing: Landing) -> list[str]:
    found = [f"{f.path}{f':{f.line}' if f.line else ''}: {f.message} [{f.code}]" for f in landing.findings]
    said = [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings)), *found]
    if landing.receipt is None:
        said += [
            f"{need.path} would need a decision: {need.headline[0].lower()}{need.headline[1:]}"
            for need in landing.needs
        ]
    return said


def _summary(landing: Landing) -> str:
    changed = sum(not change.is_noop for change in landing.changes.changes)
    skipped = f" {len(landing.skipped)} skipped." if landing.skipped else ""
    if not changed:
        return f"Nothing was written.{skipped}" if skipped else "Nothing to do: everything is already in place."
    files = "1 file" if changed == 1 else f"{changed} files"
    if landing.receipt is None:
        return f"Dry run: {files} would change, nothing was written."
    change = f" This is change {landing.receipt.id}." if landing.receipt.id else ""
    return f"Done: {files} changed.{skipped}{change}"


def _change_lines(change: Change, paint: Painter) -> list[str]:
    lines = [] if change.is_noop else change_lines(change, paint)
    moved = f" → {change.move_to}" if change.move_to else ""
    lines.append(f"{paint('✔', 'green')} {paint(f'{change.path}{moved}', bold=True)} {change.outcome}")
    lines += [f"    {paint(_match_line(match))}" for match in change.matches]
    return lines


def _match_line(match: Match) -> str:
    lines = f"line {match.line}" if match.end_line <= match.line else f"lines {match.line}-{match.end_line}"
    adapted = f" ({', '.join(match.adapted)})" if match.adapted else ""
    description = f": {match.description}" if match.description else ""
    return f"edit {match.edit} at {lines} by rule '{match.rule}'{adapted}{description}"


def as_json(landing: Landing) -> dict[str, Any]:
    """A landing for programs; the keys are documented in docs/json.md."""
    changed = any(not change.is_noop for change in landing.changes.changes)
    status = "unchanged" if not changed else "applied" if landing.receipt else "dry-run"
    return {
        "status": status,
        "format": landing.reading.format,
        "receipt": landing.receipt.id if landing.receipt else None,
        "digest": fingerprint(landing.changes),
        "files": [file_as_json(change) for change in landing.changes.changes],
        "skipped": [str(path) for path in landing.skipped],
        "needs": [need_as_json(need) for need in landing.needs],
        "findings": [{**asdict(finding), "path": str(finding.path)} for finding in landing.findings],
        "warnings": [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings))],
    }


def file_as_json(change: Change) -> dict[str, Any]:
    """One changed file."""
    return {
        "path": str(change.path),
        "action": change.outcome,
        "move_to": str(change.move_to) if change.move_to else None,
        "edits": [asdict(match) for match in change.matches],
        "before": change.before.digest if change.before else None,
        "after": content_digest(change),
    }


def need_as_json(need: Need) -> dict[str, Any]:
    """One file that needs, or needed, a decision."""
    return {
        "path": str(need.path),
        "headline": need.headline,
        "reasons": [asdict(reason) for reason in need.reasons],
        "existing_lines": need.existing_lines,
        "new_lines": need.new_lines,
        "strategies": list(need.strategies),
    }
