"""`inlay approve`: answer a plan that an agent's tool call was put off as."""

from __future__ import annotations

import json
import sys

import click

from inlay.cli import reply_input as replies
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.output import landing_text, receipt_text
from inlay.cli.output.diff_text import change_lines
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.errors import NeedsDecision
from inlay.landing import approve_pending
from inlay.model.pending import Pending
from inlay.storage import Workspace


@click.command("approve")
@click.argument("plan", required=False, metavar="[ID]")
@ROOT
@click.option("--show", is_flag=True, help="Show what the plan would do, and answer nothing.")
@click.option("--deny", is_flag=True, help="Drop the plan; nothing is written.")
@click.option("-y", "--yes", is_flag=True, help="Approve without being asked, where there is no terminal.")
@receipt_text.WAIT
@replies.JSON
@click.pass_obj
def command(
    reporting: Reporting, plan: str | None, root: str, show: bool, deny: bool, yes: bool, wait: float, as_json: bool
) -> None:
    """Answer a plan: a change that an agent's tool put off because a person must decide about it.

    Without ID the plans that wait are listed. With ID the difference is shown and you are asked; your yes writes
    exactly these bytes, and only while the files still are what they were. An agent that has a shell could give --yes
    itself: leave `inlay approve` out of the commands that it may run unasked.

    \b
    Examples:
      inlay approve                        what waits
      inlay approve 3f8a21c09b7e           look and answer
      inlay approve 3f8a21c09b7e --deny

    Exits with 0 when it is done, 2 when no such plan waits, 4 when a file changed since or nobody could be asked.
    """
    reporting.audience = "program" if as_json else "person"
    workspace = receipt_text.opened(root, wait)
    if plan is None:
        _list(approve_pending.waiting(workspace), as_json)
    elif deny:
        _told(
            as_json, {"status": "denied", "plan": approve_pending.drop(plan, workspace).id}, f"Plan {plan} was dropped."
        )
    elif show:
        _show(approve_pending.find(plan, workspace), workspace, as_json)
    else:
        _approve(plan, workspace, yes=yes, as_json=as_json)


def _approve(plan: str, workspace: Workspace, *, yes: bool, as_json: bool) -> None:
    found = approve_pending.find(plan, workspace)
    dialogue = None if as_json or yes else Dialogue.find()
    if dialogue is None and not yes:
        raise NeedsDecision(f"plan {plan} waits for a person, and there is nobody to ask; say --yes if you are one")
    if dialogue is not None:
        dialogue.show(*_lines(found, workspace, dialogue.paint))
        if (dialogue.ask("Write this? [y/N] ") or "").lower() not in ("y", "yes"):
            raise NeedsDecision(f"nothing was written; plan {plan} goes on waiting, --deny drops it")
    done = approve_pending.carry_out(plan, workspace)
    if as_json:
        click.echo(json.dumps(landing_text.as_json(done)))
    else:
        landing_text.tell(done)


def _show(plan: Pending, workspace: Workspace, as_json: bool) -> None:
    if as_json:
        changes = approve_pending.changes_of(plan, workspace).changes
        click.echo(json.dumps({**_summary(plan), "files": [landing_text.file_as_json(change) for change in changes]}))
    else:
        say("\n".join(_lines(plan, workspace, Painter(sys.stdout))))


def _lines(plan: Pending, workspace: Workspace, paint: Painter) -> list[str]:
    lines = [paint(f"plan {plan.id}  {plan.time}  {plan.tool}", "yellow")]
    lines += [f"{paint('?', 'yellow')} {paint(reason)}" for reason in plan.reasons]
    for change in approve_pending.changes_of(plan, workspace).changes:
        lines += change_lines(change, paint)
    return lines


def _list(waiting: tuple[Pending, ...], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_summary(plan) for plan in waiting]))
        return
    paint = Painter(sys.stdout)
    for plan in waiting:
        say(f"{paint(plan.id, 'yellow', bold=True)}  {plan.time}  {plan.tool}")
        say("\n".join(f"  {paint(reason)}" for reason in plan.reasons))
    if not waiting:
        say("Nothing waits for an answer.")


def _summary(plan: Pending) -> dict[str, object]:
    paths = [change.path for change in plan.changes]
    return {"plan": plan.id, "time": plan.time, "tool": plan.tool, "reasons": list(plan.reasons), "paths": paths}


def _told(as_json: bool, data: dict[str, str], said: str) -> None:
    if as_json:
        click.echo(json.dumps(data))
    else:
        say(Painter(sys.stdout)(said, "green"))
