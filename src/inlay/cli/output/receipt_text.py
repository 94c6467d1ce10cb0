"""How receipts and what became of them are told, to a person and to a program; serves every command about the past."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from inlay.cli.output.terminal import Painter, say
from inlay.model.receipt import Receipt, Recovery, Written
from inlay.storage import Workspace

WAIT = click.option(
    "--wait", default=10.0, metavar="SECONDS", type=click.FloatRange(0), help="How long to wait for another writer."
)
_SIGNS = {"created": "+", "updated": "~", "deleted": "-", "moved": ">"}


def opened(root: str, wait: float = 10.0) -> Workspace:
    """The workspace; what its opening had to put right is said at once."""
    workspace = Workspace(root, wait=wait)
    tell_recoveries(workspace.recover())
    return workspace


def tell_recoveries(found: tuple[Recovery, ...]) -> None:
    """Say on the error stream which commits were taken back."""
    paint = Painter(sys.stderr)
    for recovery in found:
        if recovery.sealed:
            continue
        say(f"{paint('!', 'yellow')} change {recovery.id} had been cut short and was taken back", err=True)
        for path in recovery.left:
            where = f"somebody wrote there since, so it was left; other versions are in {recovery.kept}"
            say(f"  {paint(str(path), bold=True)}: {paint(where)}", err=True)


def tell(receipt: Receipt, said: str) -> None:
    """One receipt as a command reports it that has just written it."""
    paint = Painter(sys.stdout)
    for written in receipt.files:
        say(file_line(written, paint))
    for note in receipt.notes:
        say(f"{paint('!', 'yellow')} {paint(note)}", err=True)
    say(paint(f"{said} This is change {receipt.id}.", "green", bold=True))


def file_line(written: Written, paint: Painter) -> str:
    """One written file."""
    moved = f"{written.source} → " if written.source else ""
    return f"  {_SIGNS[written.action]} {paint(f'{moved}{written.path}')} {written.action}"


def as_json(receipt: Receipt) -> dict[str, Any]:
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


def recovery_as_json(found: Recovery) -> dict[str, Any]:
    """A recovery for programs."""
    return {
        "id": found.id,
        "restored": [str(path) for path in found.restored],
        "left": [str(path) for path in found.left],
        "kept": found.kept or None,
        "complete": found.sealed,
    }
