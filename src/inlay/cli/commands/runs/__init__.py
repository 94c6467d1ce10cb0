"""`inlay runs`: the runs of the design-document workflow."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.cli import root_option
from inlay.cli.lazy import LazyGroup
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder

COMMANDS = {
    "show": ("inlay.cli.commands.runs.show", "Show what a run did."),
}
_COLOURS = {"green": "green", "stopped": "red", "running": "cyan"}


@click.group("runs", cls=LazyGroup, table=COMMANDS, invoke_without_command=True)
@root_option.ROOT
@click.option("-n", "--most", default=20, show_default=True, type=click.IntRange(0), help="List at most N; 0 for all.")
@replies.JSON
@click.pass_context
def command(ctx: click.Context, root: str, most: int, as_json: bool) -> None:
    """List the runs of `inlay implement`, newest first, with their status.

    \b
    Examples:
      inlay runs
      inlay runs --json | jq -r '.[] | select(.status == "waiting") | .run'
      inlay runs show 3
    """
    if ctx.invoked_subcommand is not None:
        return
    reporting = ctx.find_object(Reporting)
    assert reporting is not None
    reporting.audience = "program" if as_json else "person"
    found = runs.newest_first(str(Path(root).absolute()))[: most or None]
    if as_json:
        click.echo(json.dumps([_as_json(each) for each in found]))
        return
    paint = Painter(sys.stdout)
    for each in found:
        say("\n".join(_lines(each, paint)))
    if not found:
        say("There are no runs here yet.")


def _as_json(folder: RunFolder) -> dict[str, Any]:
    run, progress = folder.describe(), folder.progress()
    return {
        "run": run.id,
        "document": run.document,
        "started": run.started,
        "status": progress.status,
        "step": progress.step,
        "reason": progress.reason,
        "waiting_for": list(progress.files),
        "iteration": progress.iteration,
        "tokens": progress.tokens,
        "cost": progress.cost,
    }


def _lines(folder: RunFolder, paint: Painter) -> list[str]:
    run, progress = folder.describe(), folder.progress()
    status = paint(f"{progress.status:<11}", _COLOURS.get(progress.status, "yellow"), bold=True)
    cost = "" if progress.cost is None else f", ${progress.cost:.4f}"
    used = paint(f"  {progress.tokens:,} tokens{cost}", dim=True)
    lines = [f"{paint(run.id, 'yellow', bold=True):>3}  {run.started}  {status} {paint(run.document)}{used}"]
    return lines + ([f"     {paint(progress.reason)}"] if progress.reason else [])
