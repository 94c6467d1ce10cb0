"""How a rewriting is told, to a person and to a program; serves every command that does one or takes one back."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from inlay.cli.output.terminal import Painter, say
from inlay.model.commit import SHORT
from inlay.model.history_rewrite import Backup, Rewriting

if TYPE_CHECKING:
    from inlay.commits.reword import Reworded


def tell(planned: Rewriting, backup: Backup, answers: Sequence[Reworded] = (), *, as_json: bool) -> None:
    """A rewriting that is done."""
    if as_json:
        click.echo(
            json.dumps({"status": "rewritten", **_as_json(planned), "backup": backup.number, **_by_model(answers)})
        )
        return
    paint = Painter(sys.stdout)
    _warn(planned)
    say(paint(f"Done: {_counts(planned)}; {_short(planned.branch)} is at {planned.new[:SHORT]}.", "green", bold=True))
    say(paint(f"The old history is in {backup.ref}; `inlay commits undo` brings it back."))


def tell_planned(planned: Rewriting | None, answers: Sequence[Reworded] = (), *, as_json: bool) -> None:
    """A rewriting that is not done: for lack of anything to do, or because it was only to be shown."""
    if as_json:
        said = {"status": "dry-run", **_as_json(planned)} if planned else {"status": "unchanged"}
        click.echo(json.dumps(said | _by_model(answers)))
        return
    if planned is None:
        say(Painter(sys.stdout)("Nothing to do: every message stays as it is.", "green"))
        return
    _warn(planned)
    for commit in planned.commits:
        how = "reworded" if commit.is_reworded else "new parents only"
        say(f"  {commit.old[:SHORT]} → {commit.new[:SHORT]} {how}")
    say(Painter(sys.stdout)(f"Dry run: {_counts(planned)}, nothing was changed.", "green", bold=True))


def tell_undone(backup: Backup, *, as_json: bool) -> None:
    """A rewriting that was taken back."""
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


def _as_json(planned: Rewriting) -> dict[str, Any]:
    commits = [{"old": each.old, "new": each.new, "reworded": each.is_reworded} for each in planned.commits]
    return {
        "branch": planned.branch,
        "old": planned.old,
        "new": planned.new,
        "commits": commits,
        "warnings": list(planned.warnings),
    }


def _by_model(answers: Sequence[Reworded]) -> dict[str, Any]:
    """Which commits got no message and why, and what a model was not shown; nothing where none was asked."""
    if not answers:
        return {}
    kept = [{"commit": each.commit.id, "why": each.why} for each in answers if not each.message]
    unseen = [{"commit": each.commit.id, "unseen": list(each.unseen)} for each in answers if each.unseen]
    return {"kept": kept, "unseen": unseen}


def _warn(planned: Rewriting) -> None:
    paint = Painter(sys.stderr)
    for warning in planned.warnings:
        say(f"{paint('!', 'yellow')} {paint(warning)}", err=True)


def _counts(planned: Rewriting) -> str:
    others = len(planned.commits) - planned.reworded
    reworded = "1 message is new" if planned.reworded == 1 else f"{planned.reworded} messages are new"
    return f"{reworded}, {others} later commits follow" if others else reworded


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
