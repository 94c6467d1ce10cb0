"""How generation and runs of the design-document workflow are shown while they happen, and how runs ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter
from inlay.generation.events import Answered, AttemptFailed, AttemptStarted, Event, Retrying, TextArrived, Validating

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.workflow.run_events import RunEvent
    from inlay.implement.workflow.run_report import Report

_STEP_WIDTH = 8  # columns of the longest name of a step


class EventLines:
    """Shows the generation of one change: attempts, tokens received, cost so far."""

    def __init__(self, progress: ProgressLine, model: str) -> None:
        self._progress = progress
        self._model = model
        self._cost = 0.0

    def __call__(self, event: Event) -> None:
        progress = self._progress
        match event:
            case AttemptStarted(files, number, most, mode):
                kind = "edits of " if mode == "edits" else ""
                progress.step(f"{self._model}: {kind}{_names(files)}, attempt {number} of {most}")
            case TextArrived(files, number, _, tokens):
                cost = f", ${self._cost:.4f} so far" if self._cost else ""
                progress.status(f"{_names(files)}, attempt {number}: {tokens:,} tokens{cost}")
            case Answered(cost=cost):
                self._cost += cost or 0.0
            case AttemptFailed(line=line):
                progress.line(progress.paint(line, "yellow"))
            case Retrying(pause=pause) if pause:
                progress.step(f"waiting {pause:.1f} s before the next attempt")
            case Validating(command):
                progress.step(f"running {command}")
            case _:
                progress.clear()


def _names(files: tuple[str, ...]) -> str:
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"


class RunView:
    """Shows the runs of one command; where there are several, every line names its run."""

    def __init__(self, progress: ProgressLine, *, several: bool) -> None:
        self._progress = progress
        self._several = several

    def __call__(self, event: RunEvent) -> None:
        paint = self._progress.paint
        path = f"{event.path}: " if event.path else ""
        run = f"[{event.run}] " if self._several else ""
        if event.kind == "status" or (event.kind == "file" and event.step == "generate"):
            show = self._progress.status if event.kind == "status" else self._progress.step
            show(f"{run}{event.step:<{_STEP_WIDTH}} {path}{event.message}{_usage(event)}")
            return
        mark = paint("✔", "green") if event.ok else paint("✘", "red" if event.kind == "end" else "yellow")
        if event.kind == "step":
            mark = paint("▸", "cyan") if event.ok else mark
        message = paint(event.message, None if event.ok else "yellow", bold=event.kind == "end")
        usage = paint(_usage(event), dim=True) if event.kind in ("end", "tests") else ""
        step = paint(f"{event.step:<{_STEP_WIDTH}}", dim=True)
        self._progress.line(f"{paint(run, dim=True)}{mark} {step} {paint(path, bold=True)}{message}{usage}")


def _usage(event: RunEvent) -> str:
    if not event.tokens:
        return ""
    cost = "" if event.cost is None else f", ${event.cost:.4f}"
    return f"  ({event.tokens:,} tokens{cost} so far)"


def ending_lines(ending: Ending, paint: Painter) -> list[str]:
    """How one run ended, and what to do next."""
    colour = {"green": "green", "waiting": "yellow", "interrupted": "yellow"}.get(ending.status, "red")
    run = f" (run {ending.run})" if ending.run else ""
    head = f"{paint(ending.status, colour, bold=True)}  {paint(ending.document, bold=True)}{run}"
    lines = [f"{head}{paint(': ' + ending.reason) if ending.reason else ''}"]
    if ending.report is not None and ending.status in ("green", "stopped"):
        return lines + _report_lines(ending.report, ending.run, paint)
    if ending.status == "waiting":
        files = (ending.question or {})["files"]
        lines += [f"  {paint(file['path'], bold=True)}: {paint(file['headline'])}" for file in files]
        lines.append(paint(f"  inlay resume {ending.run}   decide at the terminal, or with --approve or --deny"))
    elif ending.run:
        lines.append(paint(f"  inlay resume {ending.run}   continue from there"))
    return lines


def _report_lines(report: Report, run: str, paint: Painter) -> list[str]:
    lines = []
    for requirement in report.requirements:
        tests = ", ".join(f"{test.test} {test.outcome}" for test in requirement.tests) or "no test"
        mark = paint("✔", "green") if requirement.holds else paint("✘", "red")
        lines.append(f"  {mark} {paint(f'{requirement.id} {requirement.text}')} {paint(f'({tests})', dim=True)}")
    attempts = sum(file.attempts for file in report.files)
    cost = "" if report.cost is None else f", ${report.cost:.4f}"
    lines.append(paint(f"  {attempts} attempts, {report.iterations} corrections, {report.tokens:,} tokens{cost}"))
    lines += [f"  {paint('left:', 'yellow')} {paint(item)}" for item in report.left]
    return [*lines, paint(f"  inlay runs show {run}   show the full report", dim=True)]
