"""How landings, receipts and recoveries are printed, for a person and for a program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inlay.cli.output.terminal import Painter, say, say_json
from inlay.model.settings import LOCK_WAIT

if TYPE_CHECKING:
    from inlay.landing.land import Landing
    from inlay.model.receipt import Receipt, Recovery
    from inlay.storage import Workspace


def open_workspace(root: str, wait: float = LOCK_WAIT) -> Workspace:
    """The workspace; what its recovery rolled back is reported at once."""
    from inlay.storage import Workspace

    workspace = Workspace(root, wait=wait)
    if recoveries := workspace.recover():
        print_recoveries(recoveries)
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
    from inlay.cli.output.diff_text import change_lines
    from inlay.render.change import match_line, outcome_text
    from inlay.render.landing import landing_json, landing_summary, landing_warnings

    if as_json:
        say_json(landing_json(landing))
        return
    if quiet:
        return
    paint = Painter()
    for change in landing.changes.changes:
        moved = f" → {change.move_to}" if change.move_to else ""
        lines = [] if change.is_noop else change_lines(change, paint)
        lines.append(f"{paint('✔', 'green')} {paint(f'{change.path}{moved}', bold=True)} {outcome_text(change)}")
        notes = [*change.adapted, *map(match_line, change.matches)]
        say("\n".join([*lines, *(f"    {paint(note)}" for note in notes)]))
    aside = Painter(sys.stderr)
    for warning in landing_warnings(landing):
        say(f"{aside('!', 'yellow')} {aside(warning)}", err=True)
    say(paint(landing_summary(landing), "green", bold=True))


def print_receipt(receipt: Receipt, message: str, *, as_json: bool) -> None:
    """The receipt of a command that has just written it."""
    from inlay.render.receipt import receipt_json, written_text

    if as_json:
        say_json(receipt_json(receipt))
        return
    paint = Painter()
    for written in receipt.files:
        say(f"  {paint(written_text(written))}")
    for note in receipt.notes:
        say(f"{paint('!', 'yellow')} {paint(note)}", err=True)
    say(paint(f"{message} This is change {receipt.id}.", "green", bold=True))
