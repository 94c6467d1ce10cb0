"""What `inlay implement` and `inlay resume` share: running the workflow, and reporting how the runs ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from typing import Any

import click

from inlay.cli.ask.approval_question import approver
from inlay.cli.options import Approval, Output
from inlay.cli.output.event_lines import RunView, ending_lines
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.implement.run.drive import Ending
from inlay.implement.run.schedule import Launch, limits
from inlay.implement.workflow.run_report import as_json
from inlay.llm import Model, open_model
from inlay.llm.limits import Spending
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.run import RunOptions
from inlay.model.settings import Settings

# Exit codes, the most urgent first: what needs a person comes before what merely failed.
_URGENCY = (4, 5, 3, 70, 2, 1, 0)


def run(
    root: str,
    settings: Settings,
    options: RunOptions,
    work: Callable[[Launch], Coroutine[Any, Any, Sequence[Ending]]],
    *,
    several: bool,
    output: Output,
    record: str | None = None,
) -> None:
    """Run `work` with a model, a progress line and a person to ask; report the endings and exit."""
    with ProgressLine(quiet=output.silent) as progress:

        @lru_cache(maxsize=1)
        def model_named(name: str | None) -> Model:
            model = open_model(name, settings, os.environ, record=record)
            for note in model.notes:
                progress.line(progress.paint(f"note: {note}", "yellow"))
            return model

        async def work_with_launch() -> Sequence[Ending]:
            launch = Launch(
                root=root,
                open=model_named,
                settings=settings,
                on_event=RunView(progress, several=several),
                ask=_approver(options, progress, as_json=output.as_json),
                spending=Spending(limits(options, settings)),
            )
            return await work(launch)

        endings = asyncio.run(work_with_launch())
    _report(endings, output)


def _approver(options: RunOptions, progress: ProgressLine, *, as_json: bool) -> Approve | None:
    """The person at the terminal, asked with the progress line out of the way."""
    approval = Approval(options.auto, options.force, options.yes, None, options.threshold)
    ask = approver(approval, check=True, dry_run=False, as_json=as_json)
    if ask is None:
        return None

    def ask_without_progress(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        progress.clear()
        return ask(needs, changes)

    return ask_without_progress


def _report(endings: Sequence[Ending], output: Output) -> None:
    """Print how the runs ended; exit with the most urgent code."""
    if output.as_json:
        statuses = {ending.status for ending in endings}
        status = next((status for status in ("waiting", "interrupted", "stopped") if status in statuses), "green")
        fields = ("run", "status", "reason", "exit_code", "question")
        reports = [as_json(ending.report) if ending.report else {"document": ending.document} for ending in endings]
        states = [{field: getattr(ending, field) for field in fields} for ending in endings]
        say_json({"status": status, "runs": [report | state for report, state in zip(reports, states, strict=True)]})
    elif not output.quiet:
        paint = Painter()
        for ending in endings:
            say("\n".join(ending_lines(ending, paint)))
    codes = {ending.exit_code for ending in endings}
    if code := next((code for code in _URGENCY if code in codes), max(codes, default=0)):
        raise click.exceptions.Exit(code)
