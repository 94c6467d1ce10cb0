"""`inlay resume`: resume a run, or decide what it waits for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from inlay.cli import command_settings, options

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.run.schedule import Launch


@click.command("resume")
@click.argument("run", required=False, metavar="[RUN]")
@options.ROOT
@click.option("--approve", is_flag=True, help="Approve what the run waits for.")
@click.option("--deny", is_flag=True, help="Deny it, which ends the run.")
@click.option("--decisions", type=click.File(encoding="utf-8"), metavar="FILE", help="Read decisions from a JSON file.")
@options.model_limits
@options.logging
@options.output
def command(
    run: str | None,
    root: str,
    approve: bool,
    deny: bool,
    decisions: TextIO | None,
    limits: options.ModelLimits,
    logging: options.Logging,
    output: options.Output,
) -> None:
    """Resume an interrupted run. Nothing is written twice, and no stored answer is requested again.

    RUN is its number in `inlay runs`; by default the last run that can be resumed. A run that waits for approval is
    decided here, from any process: at the terminal, with --approve or --deny, or with --decisions FILE as in
    docs/approval.md.

    \b
    Examples:
      inlay resume
      inlay resume 3 --approve
      inlay resume 3 --decisions answers.json --json
      inlay resume 3 --max-cost 5     after it stopped at a limit

    Exit codes: those of `inlay implement`.
    """
    from inlay.cli import run_workflow
    from inlay.cli.log_setup import log_steps
    from inlay.landing.decisions_json import read_decisions
    from inlay.storage.stores import runs

    project = str(Path(root).absolute())
    settings = command_settings.load(root, quiet=output.silent, limits=limits)
    folder = runs.find(project, run)
    stored = folder.describe().options
    run_options = replace(
        stored, max_cost=limits.max_cost or stored.max_cost, max_tokens=limits.max_tokens or stored.max_tokens
    )
    answer: dict[str, Any] | None = None  # asks the person at the terminal
    if sum((approve, deny, decisions is not None)) > 1:
        raise click.UsageError("--approve, --deny and --decisions are mutually exclusive")
    if decisions is not None:
        text = decisions.read()
        try:
            read_decisions(text)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--decisions") from None
        answer = dict(json.loads(text))
    elif approve or deny:
        answer = {"decisions": [{"path": "*", "verdict": "approve" if approve else "abort"}]}

    async def work(launch: Launch) -> Sequence[Ending]:
        from inlay.implement.run.schedule import go_on

        return [await go_on(folder, launch, answer)]

    with log_steps(logging):
        run_workflow.run(project, settings, run_options, work, several=False, output=output)
