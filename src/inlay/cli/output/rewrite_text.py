"""A rewrite of messages and its undo, as text and as JSON."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from inlay.cli.output.terminal import Painter, say, say_json
from inlay.model.commit import SHORT
from inlay.model.history_rewrite import Backup
from inlay.render.amended import amended_json, backup_json

if TYPE_CHECKING:
    from inlay.commits.api import Amended


def print_amended(amended: Amended, *, as_json: bool) -> None:
    """A rewrite that is done, or one that is not: nothing was to do, or it was a dry run."""
    plan, backup = amended.plan, amended.backup
    if as_json:
        say_json(amended_json(amended))
        return
    paint = Painter()
    if plan is None:
        say(paint("Nothing to do: every message stays as it is.", "green"))
        return
    for warning in plan.warnings:
        warn = Painter(sys.stderr)
        say(f"{warn('!', 'yellow')} {warn(warning)}", err=True)
    others = len(plan.commits) - plan.reworded
    counts = "1 message is new" if plan.reworded == 1 else f"{plan.reworded} messages are new"
    counts += f", {others} later commits follow" if others else ""
    if backup is not None:
        say(paint(f"Done: {counts}; {_short(plan.branch)} is at {plan.new[:SHORT]}.", "green", bold=True))
        say(paint(f"The old history is in {backup.ref}; `inlay commits undo` restores it."))
        return
    for commit in plan.commits:
        how = "reworded" if commit.is_reworded else "new parents only"
        say(f"  {commit.old[:SHORT]} → {commit.new[:SHORT]} {how}")
    say(paint(f"Dry run: {counts}, nothing was changed.", "green", bold=True))


def print_undone(backup: Backup, *, as_json: bool) -> None:
    if as_json:
        say_json({"status": "undone", **backup_json(backup)})
        return
    paint = Painter()
    say(paint(f"Done: {_short(backup.branch)} is at {backup.old[:SHORT]} again.", "green", bold=True))
    say(paint(f"The history with the other messages is in {backup.undone_ref}."))


def backup_line(backup: Backup) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.when))
    undone = ", undone" if backup.is_undone else ""
    return f"{backup.number:>4}  {when}  {_short(backup.branch)}: {backup.old[:SHORT]} → {backup.new[:SHORT]}{undone}"


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
