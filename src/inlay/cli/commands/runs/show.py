"""`inlay runs show`: what a run did and what is left."""

from __future__ import annotations

import json
from pathlib import Path

import click

from inlay.cli import reply_input as replies
from inlay.cli import root_option
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import safe, say
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder


@click.command("show")
@click.argument("run", metavar="RUN")
@root_option.ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, run: str, root: str, as_json: bool) -> None:
    """Show what a run did: its files, the tests of each requirement, attempts, tokens, cost, and what is left.

    \b
    Examples:
      inlay runs show 3
      inlay runs show 3 --json | jq .requirements
    """
    reporting.audience = "program" if as_json else "person"
    folder = runs.find(str(Path(root).absolute()), run)
    if as_json:
        click.echo(json.dumps(json.loads(folder.load("report.json") or "null") or _unfinished(folder)))
        return
    report = folder.load("report.md")
    say("\n".join(safe(line) for line in (report or _told(folder)).rstrip("\n").split("\n")))


def _unfinished(folder: RunFolder) -> dict[str, object]:
    described, progress = folder.describe(), folder.progress()
    return {
        "run": described.id,
        "document": described.document,
        "outcome": progress.status,
        "reason": progress.reason,
        "step": progress.step,
        "tokens": progress.tokens,
        "cost": progress.cost,
        "waiting_for": list(progress.files),
    }


def _told(folder: RunFolder) -> str:
    told = _unfinished(folder)
    lines = [
        f"# {told['document']}",
        "",
        f"Run {told['run']} is {told['outcome']}, last step {told['step'] or 'none'}.",
    ]
    lines += [str(told["reason"])] if told["reason"] else []
    files = folder.progress().files
    lines += [f"It waits for approval of {', '.join(files)}."] if files else []
    return "\n".join([*lines, f"`inlay resume {told['run']}` resumes it."])
