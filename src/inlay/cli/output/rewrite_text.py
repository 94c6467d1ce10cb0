"""A rewrite of messages and its undo, as text and as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from inlay.cli.output.terminal import Painter, say
from inlay.model.commit import SHORT
from inlay.model.history_rewrite import Backup, NewMessage, RewritePlan

if TYPE_CHECKING:
    from inlay.commits.api import Amended


def print_amended(amended: Amended, *, as_json: bool) -> None:
    """A rewrite that is done, or one that is not: nothing was to do, or it was a dry run."""
    plan, backup = amended.plan, amended.backup
    if as_json:
        status = "unchanged" if plan is None else "dry-run" if backup is None else "rewritten"
        number = {} if backup is None else {"backup": backup.number}
        said = {"status": status, **(_plan_json(plan) if plan else {}), **number, **_answers_json(amended.answers)}
        click.echo(json.dumps(said))
        return
    paint = Painter(sys.stdout)
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
        say(paint(f"The old history is in {backup.ref}; `inlay commits undo` brings it back."))
        return
    for commit in plan.commits:
        how = "reworded" if commit.is_reworded else "new parents only"
        say(f"  {commit.old[:SHORT]} → {commit.new[:SHORT]} {how}")
    say(paint(f"Dry run: {counts}, nothing was changed.", "green", bold=True))


def print_undone(backup: Backup, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"status": "undone", **backup_as_json(backup)}))
        return
    paint = Painter(sys.stdout)
    say(paint(f"Done: {_short(backup.branch)} is at {backup.old[:SHORT]} again.", "green", bold=True))
    say(paint(f"The history with the other messages is in {backup.undone_ref}."))


def backup_line(backup: Backup) -> str:
    """One line of the list of backups."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.when))
    undone = ", taken back" if backup.is_undone else ""
    return f"{backup.number:>4}  {when}  {_short(backup.branch)}: {backup.old[:SHORT]} → {backup.new[:SHORT]}{undone}"


def backup_as_json(backup: Backup) -> dict[str, Any]:
    """A backup for programs."""
    return {
        "backup": backup.number,
        "branch": backup.branch,
        "old": backup.old,
        "new": backup.new,
        "when": backup.when,
        "undone": backup.is_undone,
    }


def _plan_json(plan: RewritePlan) -> dict[str, Any]:
    return {
        "branch": plan.branch,
        "old": plan.old,
        "new": plan.new,
        "commits": [{"old": each.old, "new": each.new, "reworded": each.is_reworded} for each in plan.commits],
        "warnings": list(plan.warnings),
    }


def _answers_json(answers: Sequence[NewMessage]) -> dict[str, Any]:
    """Which commits got no message and why, and what a model was not shown; nothing where none was asked."""
    if not answers:
        return {}
    kept = [{"commit": each.commit.id, "why": each.why} for each in answers if not each.message]
    unseen = [{"commit": each.commit.id, "unseen": list(each.unseen)} for each in answers if each.unseen]
    return {"kept": kept, "unseen": unseen}


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
