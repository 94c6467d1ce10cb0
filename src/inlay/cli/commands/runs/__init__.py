"""`inlay runs`: the runs of the design-document workflow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.lazy import LazyGroup
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.storage.stores.runs import RunFolder

COMMANDS = {"show": ("inlay.cli.commands.runs.show", "Show what a run did.")}
_COLOURS = {"green": "green", "stopped": "red", "running": "cyan"}


@click.group("runs", cls=LazyGroup, sections={"Commands": COMMANDS}, invoke_without_command=True)
@options.GROUP_ROOT
@options.MOST
@options.JSON
@click.pass_context
def command(context: click.Context, root: str | None, most: int, as_json: bool) -> None:
    """List the runs of `inlay implement` and their status, newest first.

    \b
    Examples:
      inlay runs
      inlay runs --json | jq -r '.[] | select(.status == "waiting") | .run'
      inlay runs show 3
    """
    if context.invoked_subcommand is not None:
        return
    from inlay.storage.stores import runs

    folders = runs.newest_first(str(Path(options.project(context, root)).absolute()))[: most or None]
    if as_json:
        say_json([_as_json(folder) for folder in folders])
        return
    paint = Painter()
    for folder in folders:
        run, progress = folder.describe(), folder.progress()
        status = paint(f"{progress.status:<11}", _COLOURS.get(progress.status, "yellow"), bold=True)
        cost = "" if progress.cost is None else f", ${progress.cost:.4f}"
        used = paint(f"  {progress.tokens:,} tokens{cost}", dim=True)
        say(f"{paint(run.id, 'yellow', bold=True):>3}  {run.started}  {status} {paint(run.document)}{used}")
        if progress.reason:
            say(f"     {paint(progress.reason)}")
    if not folders:
        say("No runs yet.")


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
