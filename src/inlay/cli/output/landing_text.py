"""How landings, receipts and recoveries are printed, for a person and for a program."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from inlay.cli.output.diff_text import change_lines
from inlay.cli.output.terminal import Painter, say
from inlay.landing.land import Landing
from inlay.model.change import Change
from inlay.model.decision import Need, content_digest, fingerprint
from inlay.model.match import Match
from inlay.model.receipt import Receipt, Recovery, Written
from inlay.storage import Workspace

_SIGNS = {"created": "+", "updated": "~", "deleted": "-", "moved": ">"}


def open_workspace(root: str, wait: float = 10.0) -> Workspace:
    """The workspace; what its recovery rolled back is reported at once."""
    workspace = Workspace(root, wait=wait)
    print_recoveries(workspace.recover())
    return workspace


def print_recoveries(recoveries: tuple[Recovery, ...]) -> None:
    """Report on standard error which interrupted changes were rolled back."""
    paint = Painter(sys.stderr)
    for recovery in recoveries:
        if recovery.sealed:
            continue
        say(f"{paint('!', 'yellow')} change {recovery.id} was interrupted and has been rolled back", err=True)
        for path in recovery.left:
            reason = f"modified since, so it was left as it is; other versions are in {recovery.kept}"
            say(f"  {paint(str(path), bold=True)}: {paint(reason)}", err=True)


def print_landing(landing: Landing, *, as_json: bool, quiet: bool = False) -> None:
    """JSON, or the diffs and a summary on standard output with warnings on standard error."""
    if as_json:
        click.echo(json.dumps(landing_as_json(landing)))
        return
    if quiet:
        return
    paint = Painter(sys.stdout)
    for change in landing.changes.changes:
        say("\n".join(_change_lines(change, paint)))
    aside = Painter(sys.stderr)
    for warning in _warnings(landing):
        say(f"{aside('!', 'yellow')} {aside(warning)}", err=True)
    say(paint(_summary(landing), "green", bold=True))


def _warnings(landing: Landing) -> list[str]:
    findings = [f"{f.path}{f':{f.line}' if f.line else ''}: {f.message} [{f.code}]" for f in landing.findings]
    warnings = [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings)), *findings]
    if landing.receipt is None:
        warnings += [
            f"{need.path} would need approval: {need.headline[0].lower()}{need.headline[1:]}" for need in landing.needs
        ]
    return warnings


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


def print_receipt(receipt: Receipt, message: str, *, as_json: bool) -> None:
    """The receipt of a command that has just written it."""
    if as_json:
        click.echo(json.dumps(receipt_as_json(receipt)))
        return
    paint = Painter(sys.stdout)
    for written in receipt.files:
        say(file_line(written, paint))
    for note in receipt.notes:
        say(f"{paint('!', 'yellow')} {paint(note)}", err=True)
    say(paint(f"{message} This is change {receipt.id}.", "green", bold=True))


def file_line(written: Written, paint: Painter) -> str:
    """One written file."""
    moved = f"{written.source} → " if written.source else ""
    return f"  {_SIGNS[written.action]} {paint(f'{moved}{written.path}')} {written.action}"


def landing_as_json(landing: Landing) -> dict[str, Any]:
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
    """One file that needs, or needed, approval."""
    return {
        "path": str(need.path),
        "headline": need.headline,
        "reasons": [asdict(reason) for reason in need.reasons],
        "existing_lines": need.existing_lines,
        "new_lines": need.new_lines,
        "strategies": list(need.strategies),
    }


def receipt_as_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt for programs; the keys are documented in docs/json.md."""
    files = [_file_as_json(written) for written in receipt.files]
    return {**asdict(receipt), "files": files, "reverses": receipt.reverses or None, "notes": list(receipt.notes)}


def _file_as_json(written: Written) -> dict[str, Any]:
    return {
        "path": str(written.path),
        "action": written.action,
        "source": str(written.source) if written.source else None,
        "before": written.before or None,
        "after": written.after or None,
    }


def recovery_as_json(recovery: Recovery) -> dict[str, Any]:
    """A recovery for programs."""
    return {
        "id": recovery.id,
        "restored": [str(path) for path in recovery.restored],
        "left": [str(path) for path in recovery.left],
        "kept": recovery.kept or None,
        "complete": recovery.sealed,
    }
