"""`inlay log`: the audit log, and whether it is intact."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from inlay.cli import options
from inlay.cli.output.landing_text import print_recoveries
from inlay.cli.output.terminal import Painter, say, say_json


@click.command("log")
@options.ROOT
@click.option("--verify", is_flag=True, help="Check every record, the hash chain, and the receipts that refer to it.")
@click.option("--restart", is_flag=True, help="Move a damaged log aside and start a new one.")
@options.JSON
def command(root: str, verify: bool, restart: bool, as_json: bool) -> None:
    """Show the audit log: what was proposed, blocked, decided, written and undone, oldest first.

    Records form a hash chain, and receipts repeat its state, so changed, removed and rewritten records are detected.
    While the log is damaged nothing is written, until a person has looked at it.

    \b
    Examples:
      inlay log
      inlay log --json | jq -c 'select(.event == "blocked")'
      inlay log --verify
      inlay log --restart      after the damage has been investigated

    Exit codes: 0 done; 1 --verify found damage; 4 a damaged log cannot be shown.
    """
    from inlay.storage import Workspace

    workspace, paint = Workspace(root), Painter()
    if restart:
        aside = workspace.restart_log()
        click.echo(json.dumps({"aside": aside}) if as_json else f"Started a new log; the old one is in {aside}.")
    elif verify:
        problems = workspace.verify_log()
        if as_json:
            say_json({"whole": not problems, "problems": list(problems)})
        else:
            for problem in problems:
                say(f"{paint('✘', 'red')} {paint(problem)}")
            say("The log is damaged." if problems else "The log is intact.")
        if problems:
            raise click.exceptions.Exit(1)
    elif as_json:
        for record in workspace.records():
            values = {key: value for key, value in asdict(record.event).items() if value}
            say_json({"number": record.number, "time": record.time, **values, "digest": record.digest})
    else:
        print_recoveries(workspace.recover())
        for record in workspace.records():
            event = record.event
            by, change = f"by {event.by}" if event.by else "", f"change {event.receipt}" if event.receipt else ""
            fields = (event.state, event.path, event.decision, by, event.detail, change)
            say(paint("  ".join([f"{record.number:>5}  {record.time}  {event.event:<9}", *filter(None, fields)])))
