"""What the commands about commits share: settings, opening the model, and events on the progress line."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from inlay.cli import command_settings
from inlay.cli.options import ModelLimits
from inlay.cli.output.progress import ProgressLine

if TYPE_CHECKING:
    from inlay.commits import CommitEvent, ModelUse
    from inlay.git.repository import Repository
    from inlay.llm import Model
    from inlay.model.settings import Settings, Value


def settings_for(repo: Repository, limits: ModelLimits, *, quiet: bool, **options: Value) -> Settings:
    """The settings of the repository, wherever in it the command was started."""
    return command_settings.load(repo.top or repo.root, quiet=quiet, limits=limits, **options)


def opener(settings: Settings, record: str | None, progress: ProgressLine) -> Callable[[], Model]:
    """Opens the configured model when it is needed, and prints its notes."""

    def opened() -> Model:
        from inlay.llm import open_model

        model = open_model(None, settings, os.environ, record=record)
        for note in model.notes:
            progress.line(progress.paint(f"note: {note}", "yellow"))
        return model

    return opened


def show(event: CommitEvent, progress: ProgressLine) -> None:
    """How far it is, what a model was not shown, and what it cost."""
    from inlay.commits import AskEnded, AskStarted, CommitDone, NewMessage
    from inlay.model.commit import SHORT

    match event:
        case AskStarted(model, commits):
            progress.step(f"asking {model} about {commits} {'commit' if commits == 1 else 'commits'}")
        case CommitDone(result, done, total, spent):
            if isinstance(result, NewMessage):
                for part in result.unseen:
                    text = f"{result.commit.id[:SHORT]}: not shown to the model: {part}"
                    progress.line(progress.paint(text, dim=True))
                if not result.message:
                    text = f"{result.commit.id[:SHORT]} keeps its message: {result.why}"
                    progress.line(progress.paint(text, "yellow"))
            progress.status(f"{done} of {total}: {_words(spent)}" if spent else f"checked {done} of {total}")
        case AskEnded(model, spent):
            progress.line(progress.paint(f"{model}: {_words(spent)}", dim=True))
        case _:
            pass


def _words(spent: ModelUse) -> str:
    requests = "1 request" if spent.requests == 1 else f"{spent.requests} requests"
    cost = "" if spent.cost is None else f", ${spent.cost:.4f}"
    return f"{requests}, {spent.usage.input:,} tokens in and {spent.usage.output:,} out{cost}"
