"""`inlay commits draft`: a message for the staged changes, printed or as git's prepare-commit-msg hook."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from inlay import commits
from inlay.cli import options
from inlay.cli.model_session import opener, settings_for
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.errors import InlayError

# Sources of prepare-commit-msg for which git has, or will make, a message.
_HAS_ONE = frozenset({"message", "merge", "squash", "commit"})


@click.command("draft")
@click.argument("hook_args", nargs=-1, metavar="[FILE [SOURCE [COMMIT]]]")
@options.ROOT
@click.option("--hook", is_flag=True, help="Write into FILE, as a prepare-commit-msg hook; never stops a commit.")
@options.IGNORE
@options.model_limits
@options.RECORD
@options.logging
@options.JSON
def command(
    hook_args: tuple[str, ...],
    root: str,
    hook: bool,
    ignore: tuple[str, ...],
    limits: options.ModelLimits,
    record: str | None,
    logging: options.Logging,
    as_json: bool,
) -> None:
    """Write a message for the staged changes, from the diff, in the style of the repository and within its rules.

    With --hook the draft goes into the file that git is about to open in the editor. The file is left unchanged where
    the message comes from elsewhere or no model answers: a commit never fails because of it.

    \b
    Examples:
      inlay commits draft
      git commit -F <(inlay commits draft)
      inlay commits draft --hook .git/COMMIT_EDITMSG     what `inlay commits install-hooks --draft` sets up

    Exit codes: 0 done; 4 nothing is staged; 5 no model available, or no valid answer from it.
    """
    from inlay.cli.log_setup import log_steps
    from inlay.git.repository import open_repository

    if bool(hook_args) != hook:
        raise click.UsageError("--hook requires the arguments that git passes to prepare-commit-msg")

    def draft() -> commits.NewMessage:
        with open_repository(root) as repo, ProgressLine(quiet=as_json) as progress:
            settings = settings_for(repo, limits, quiet=as_json or hook, commits__ignore=ignore or None)

            def on_event(event: commits.CommitEvent) -> None:
                if isinstance(event, commits.AskStarted):
                    progress.step(f"asking {event.model}")

            return commits.draft(repo, settings=settings, model=opener(settings, record, progress), on_event=on_event)

    with log_steps(logging):
        if hook:
            if "".join(hook_args[1:2]) in _HAS_ONE:
                return
            file = Path(hook_args[0])
            try:  # to write the draft before what git wrote into the file; whatever fails, the commit goes on
                message = draft().message.encode("utf-8", "surrogateescape")
                file.write_bytes(message + file.read_bytes())
            except (InlayError, OSError) as error:
                say(f"inlay: no draft of a message: {error}", err=True)
            return
        drafted = draft()
    if as_json:
        say_json({"status": "drafted", "message": drafted.message, "unseen": list(drafted.unseen)})
        return
    paint = Painter(sys.stderr)
    for part in drafted.unseen:
        say(paint(f"not shown to the model: {part}", dim=True), err=True)
    sys.stdout.write(drafted.message)
