"""How runs of the design-document workflow are shown while they go on: step by step, file by file."""

from __future__ import annotations

from inlay.cli.output.progress import ProgressLine
from inlay.implement.workflow.run_events import RunEvent

_STEPS = 8  # columns of the longest name of a step


class RunView:
    """One view for all runs of a command; where there are several, every line says whose it is."""

    def __init__(self, progress: ProgressLine, *, several: bool) -> None:
        self._progress = progress
        self._several = several

    def __call__(self, event: RunEvent) -> None:
        """Show one event."""
        paint = self._progress.paint
        where = f"{event.path}: " if event.path else ""
        whose = f"[{event.run}] " if self._several else ""
        if event.kind == "status":
            self._progress.status(f"{whose}{event.step:<{_STEPS}} {where}{event.message}{_used(event)}")
            return
        if event.kind == "file" and event.step == "generate":
            self._progress.step(f"{whose}{event.step:<{_STEPS}} {where}{event.message}{_used(event)}")
            return
        mark = paint("✔", "green") if event.ok else paint("✘", "red" if event.kind == "end" else "yellow")
        if event.kind == "step":
            mark = paint("▸", "cyan") if event.ok else mark
        said = paint(event.message, None if event.ok else "yellow", bold=event.kind == "end")
        used = paint(_used(event), dim=True) if event.kind in ("end", "tests") else ""
        step = paint(f"{event.step:<{_STEPS}}", dim=True)
        self._progress.line(f"{paint(whose, dim=True)}{mark} {step} {paint(where, bold=True)}{said}{used}")


def _used(event: RunEvent) -> str:
    if not event.tokens:
        return ""
    cost = "" if event.cost is None else f", ${event.cost:.4f}"
    return f"  ({event.tokens:,} tokens{cost} so far)"
