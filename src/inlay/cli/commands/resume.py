"""`inlay resume`: resume a run, or answer what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from inlay.cli import config_options, log_setup, root_option, run_workflow
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.landing.decisions_json import read_decisions
from inlay.storage.stores import runs

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.run.schedule import Launch


@click.command("resume")
@click.argument("run", required=False, metavar="[RUN]")
@root_option.ROOT
@click.option("--approve", is_flag=True, help="Approve what the run waits for.")
@click.option("--deny", is_flag=True, help="Reject it, which ends the run.")
@click.option("--decisions", type=click.File(encoding="utf-8"), metavar="FILE", help="Answer from JSON.")
@config_options.asking
@log_setup.journal_options
@replies.JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_obj
def command(
    reporting: Reporting,
    run: str | None,
    root: str,
    approve: bool,
    deny: bool,
    decisions: TextIO | None,
    model: str | None,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    verbose: bool,
    log: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Resume an interrupted run: no file is written twice, and no stored answer is requested again.

    RUN is its number, as `inlay runs` lists it; without it, the last one that can be resumed. A run that waits for a
    decision is answered here, by any process: at the terminal, with --approve or --deny, or with --decisions FILE as
    in docs/approval.md.

    \b
    Examples:
      inlay resume
      inlay resume 3 --approve
      inlay resume 3 --decisions answers.json --json
      inlay resume 3 --max-cost 5     after it stopped at a limit

    Exits as `inlay implement` does.
    """
    reporting.audience = "program" if as_json else "person"
    quiet = quiet or as_json
    where = str(Path(root).absolute())
    settings = config_options.configured(
        root,
        quiet=quiet,
        model=model,
        max_attempts=max_attempts,
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_seconds=max_seconds,
    )
    folder = runs.find(where, run)
    options = folder.describe().options
    options = replace(options, max_cost=max_cost or options.max_cost, max_tokens=max_tokens or options.max_tokens)
    answer = _answer(approve, deny, decisions)

    async def work(launch: Launch) -> Sequence[Ending]:
        from inlay.implement.run.schedule import go_on

        return [await go_on(folder, launch, answer)]

    with log_setup.journal(verbose=verbose, log=log):
        endings = run_workflow.run(where, settings, options, work, several=False, quiet=quiet, as_json=as_json)
    run_workflow.tell(endings, as_json=as_json, quiet=quiet)


def _answer(approve: bool, deny: bool, decisions: TextIO | None) -> dict[str, Any] | None:
    """The answer for the waiting run; None to ask the person at the terminal."""
    if sum((approve, deny, decisions is not None)) > 1:
        raise click.UsageError("--approve, --deny and --decisions exclude each other")
    if decisions is not None:
        import json

        text = decisions.read()
        try:
            read_decisions(text)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--decisions") from None
        return dict(json.loads(text))
    if approve or deny:
        return {"decisions": [{"path": "*", "verdict": "approve" if approve else "abort"}]}
    return None
