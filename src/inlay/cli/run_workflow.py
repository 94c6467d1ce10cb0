"""What `inlay implement` and `inlay resume` share: starting runs, and printing how they ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import approval_options
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.run_lines import RunView
from inlay.cli.output.terminal import Painter, say
from inlay.llm import Model, open_model
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.run import RunOptions
from inlay.model.settings import Settings

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.run.schedule import Launch

# The worst first: what a person must do something about, before what only went wrong.
_GRAVITY = (4, 5, 3, 70, 2, 1, 0)


def run(
    root: str,
    settings: Settings,
    options: RunOptions,
    work: Callable[[Launch], Coroutine[Any, Any, Sequence[Ending]]],
    *,
    several: bool,
    quiet: bool,
    as_json: bool,
    record: str | None = None,
) -> Sequence[Ending]:
    """Do the work with a model, a progress view and an approver."""
    from inlay.implement.run.schedule import Launch, limits
    from inlay.llm.limits import Spending

    with ProgressLine(quiet=quiet) as progress:

        @lru_cache(maxsize=1)
        def opened(name: str | None) -> Model:
            model = open_model(name, settings, os.environ, record=record)
            for note in model.notes:
                progress.line(progress.paint(f"note: {note}", "yellow"))
            return model

        async def all_of_it() -> Sequence[Ending]:
            launch = Launch(
                root=root,
                open=opened,
                settings=settings,
                on_event=RunView(progress, several=several),
                ask=_ask(options, progress, as_json=as_json),
                spending=Spending(limits(options, settings)),
            )
            return await work(launch)

        return asyncio.run(all_of_it())


def _ask(options: RunOptions, progress: ProgressLine, *, as_json: bool) -> Approve | None:
    """Ask the person at the terminal, with the progress line cleared first."""
    said = approval_options.Consent(options.auto, options.force, options.yes, options.threshold, None)
    ask = approval_options.approver(said, check=True, dry_run=False, as_json=as_json)
    if ask is None:
        return None

    def cleared(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        progress.clear()
        return ask(needs, changes)

    return cleared


def tell(endings: Sequence[Ending], *, as_json: bool, quiet: bool) -> None:
    """Print how the runs ended, and exit with the gravest code."""
    if as_json:
        click.echo(json.dumps({"status": _status(endings), "runs": [_as_json(each) for each in endings]}))
    elif not quiet:
        paint = Painter(sys.stdout)
        for each in endings:
            say("\n".join(_lines(each, paint)))
    codes = {each.exit_code for each in endings}
    code = next((code for code in _GRAVITY if code in codes), max(codes, default=0))
    if code:
        raise click.exceptions.Exit(code)


def _status(endings: Sequence[Ending]) -> str:
    found = {each.status for each in endings}
    return next((status for status in ("waiting", "interrupted", "stopped") if status in found), "green")


def _as_json(ending: Ending) -> dict[str, Any]:
    from inlay.implement.workflow.run_report import as_json

    record = as_json(ending.report) if ending.report else {"document": ending.document}
    return {
        **record,
        "run": ending.run,
        "status": ending.status,
        "reason": ending.reason,
        "exit_code": ending.exit_code,
        "question": ending.question,
    }


def _lines(ending: Ending, paint: Painter) -> list[str]:
    colour = {"green": "green", "waiting": "yellow", "interrupted": "yellow"}.get(ending.status, "red")
    which = f" (run {ending.run})" if ending.run else ""
    head = f"{paint(ending.status, colour, bold=True)}  {paint(ending.document, bold=True)}{which}"
    lines = [f"{head}{paint(': ' + ending.reason) if ending.reason else ''}"]
    report = ending.report
    if report is not None and ending.status in ("green", "stopped"):
        for each in report.requirements:
            shown = ", ".join(f"{test.test} {test.outcome}" for test in each.tests) or "no test"
            mark = paint("✔", "green") if each.holds else paint("✘", "red")
            lines.append(f"  {mark} {paint(f'{each.id} {each.text}')} {paint(f'({shown})', dim=True)}")
        attempts = sum(file.attempts for file in report.files)
        cost = "" if report.cost is None else f", ${report.cost:.4f}"
        lines.append(paint(f"  {attempts} attempts, {report.iterations} corrections, {report.tokens:,} tokens{cost}"))
        lines += [f"  {paint('left:', 'yellow')} {paint(each)}" for each in report.left]
        lines.append(paint(f"  inlay runs show {ending.run}   shows the full report", dim=True))
    elif ending.status == "waiting":
        lines += [
            f"  {paint(file['path'], bold=True)}: {paint(file['headline'])}"
            for file in (ending.question or {})["files"]
        ]
        lines.append(paint(f"  inlay resume {ending.run}   asks at the terminal; or use --approve or --deny"))
    elif ending.run:
        lines.append(paint(f"  inlay resume {ending.run}   resumes it"))
    return lines
