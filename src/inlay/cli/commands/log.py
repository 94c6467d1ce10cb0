"""`inlay log`: the audit log, and whether it is whole."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.model.audit import AuditRecord
from inlay.storage import Workspace

_DAMAGED = 1


@click.command("log")
@ROOT
@click.option("--verify", is_flag=True, help="Check every record, the chain between them, and what receipts say of it.")
@click.option("--restart", is_flag=True, help="Set a damaged log aside and begin a new one.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, verify: bool, restart: bool, as_json: bool) -> None:
    """Show the audit log: what was proposed, blocked, decided, written and undone, oldest first.

    Each record is chained to the one before it, and receipts repeat where the chain stood, so a record that was
    changed, cut off or written anew shows. A damaged log stops writing until a person has looked at it.

    \b
    Examples:
      inlay log
      inlay log --json | jq -c 'select(.event == "blocked")'
      inlay log --verify
      inlay log --restart      when the damage has been looked into

    Exits with 0, with 1 when --verify finds the log damaged, or with 4 when a damaged log is to be shown.
    """
    reporting.audience = "program" if as_json else "person"
    workspace = Workspace(root)
    if restart:
        aside = workspace.restart_log()
        click.echo(json.dumps({"aside": aside}) if as_json else f"A new log was begun; the old one is in {aside}.")
    elif verify:
        _verify(workspace, as_json)
    elif as_json:
        for record in workspace.records():
            click.echo(json.dumps(_as_json(record)))
    else:
        receipt_text.tell_recoveries(workspace.recover())
        paint = Painter(sys.stdout)
        for record in workspace.records():
            say(_line(record, paint))


def _verify(workspace: Workspace, as_json: bool) -> None:
    problems = workspace.verify_log()
    if as_json:
        click.echo(json.dumps({"whole": not problems, "problems": list(problems)}))
    else:
        paint = Painter(sys.stdout)
        for problem in problems:
            say(f"{paint('✘', 'red')} {paint(problem)}")
        say("The log is damaged." if problems else "The log is whole.")
    if problems:
        raise click.exceptions.Exit(_DAMAGED)


def _as_json(record: AuditRecord) -> dict[str, Any]:
    said = {key: value for key, value in asdict(record.event).items() if value}
    return {"number": record.number, "time": record.time, **said, "digest": record.digest}


def _line(record: AuditRecord, paint: Painter) -> str:
    event = record.event
    told = [event.state, event.path, event.decision, f"by {event.by}" if event.by else "", event.detail]
    change = f"change {event.receipt}" if event.receipt else ""
    head = f"{record.number:>5}  {record.time}  {event.event:<9}"
    return paint("  ".join([head, *(text for text in (*told, change) if text)]))
