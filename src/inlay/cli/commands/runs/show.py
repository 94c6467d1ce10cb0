"""`inlay runs show`: what a run did and what is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inlay.cli import options
from inlay.cli.output.terminal import safe, say, say_json

if TYPE_CHECKING:
    from inlay.storage.stores.runs import RunFolder


@click.command("show")
@click.argument("run", metavar="RUN")
@options.ROOT
@options.JSON
def command(run: str, root: str, as_json: bool) -> None:
    """Show what a run did: its files, the tests of each requirement, attempts, tokens, cost, and what is left.

    \b
    Examples:
      inlay runs show 3
      inlay runs show 3 --json | jq .requirements
    """
    from inlay.storage.stores import runs

    folder = runs.find(str(Path(root).absolute()), run)
    if as_json:
        say_json(json.loads(folder.load("report.json") or "null") or _unfinished(folder))
        return
    report = folder.load("report.md") or _unfinished_text(folder)
    say("\n".join(map(safe, report.rstrip("\n").split("\n"))))


def _unfinished(folder: RunFolder) -> dict[str, object]:
    run, progress = folder.describe(), folder.progress()
    return {
        "run": run.id,
        "document": run.document,
        "outcome": progress.status,
        "reason": progress.reason,
        "step": progress.step,
        "tokens": progress.tokens,
        "cost": progress.cost,
        "waiting_for": list(progress.files),
    }


def _unfinished_text(folder: RunFolder) -> str:
    run, progress = folder.describe(), folder.progress()
    lines = [f"# {run.document}", "", f"Run {run.id} is {progress.status}, last step {progress.step or 'none'}."]
    lines += [progress.reason] if progress.reason else []
    lines += [f"It waits for approval of {', '.join(progress.files)}."] if progress.files else []
    return "\n".join([*lines, f"`inlay resume {run.id}` continues from there."])
