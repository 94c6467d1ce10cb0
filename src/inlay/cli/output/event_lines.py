"""How the generation of a change is shown while it happens; serves every command that has a model change files."""

from __future__ import annotations

from inlay.cli.output.progress import ProgressLine
from inlay.generation.events import Answered, AttemptFailed, AttemptStarted, Event, Retrying, TextArrived, Validating


class EventLines:
    """Takes events and shows them: attempt, tokens arriving, cost so far."""

    def __init__(self, progress: ProgressLine, model: str) -> None:
        self._progress = progress
        self._model = model
        self._cost = 0.0

    def __call__(self, event: Event) -> None:
        """Show one event."""
        match event:
            case AttemptStarted(files, number, most, mode):
                asked = "edits of " if mode == "edits" else ""
                self._progress.step(f"{self._model}: {asked}{_named(files)}, attempt {number} of {most}")
            case TextArrived(files, number, _, tokens):
                self._progress.status(f"{_named(files)}, attempt {number}: {tokens:,} tokens{self._money()}")
            case Answered(cost=cost):
                self._cost += cost or 0.0
            case AttemptFailed(line=line):
                self._progress.line(self._progress.paint(line, "yellow"))
            case Retrying(pause=pause) if pause:
                self._progress.step(f"waiting {pause:.1f} s before asking again")
            case Validating(command):
                self._progress.step(f"running {command}")
            case _:
                self._progress.clear()

    def _money(self) -> str:
        return f", ${self._cost:.4f} so far" if self._cost else ""


def _named(files: tuple[str, ...]) -> str:
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
