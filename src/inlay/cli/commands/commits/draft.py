"""`inlay commits draft`: a message for what is staged, by itself or as git's prepare-commit-msg hook."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from inlay import commits
from inlay.cli import config_options, log_setup
from inlay.cli import reply_input as replies
from inlay.cli.model_session import IGNORE, RECORD, opener, settings_for
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.errors import InlayError
from inlay.git.repository import open_repository
from inlay.model.settings import Value

# Where git has a message already, or will make one, nobody wants another.
_HAS_ONE = frozenset({"message", "merge", "squash", "commit"})


@click.command("draft")
@click.argument("hook_args", nargs=-1, metavar="[FILE [SOURCE [COMMIT]]]")
@ROOT
@click.option("--hook", is_flag=True, help="Write into FILE as git's prepare-commit-msg hook; never stops a commit.")
@IGNORE
@config_options.asking
@RECORD
@log_setup.journal_options
@replies.JSON
@click.pass_obj
def command(
    reporting: Reporting,
    hook_args: tuple[str, ...],
    root: str,
    hook: bool,
    ignore: tuple[str, ...],
    model: str | None,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    record: str | None,
    verbose: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Write a message for what is staged, from the diff, in the style of the repository and within its rules.

    With --hook it fills the file that git is about to open in the editor, and leaves it alone where the message comes
    from elsewhere or no model answers: a commit never fails because of it.

    \b
    Examples:
      inlay commits draft
      git commit -F <(inlay commits draft)
      inlay commits draft --hook .git/COMMIT_EDITMSG     as `inlay commits install-hooks --draft` has git do

    Exits with 0, 4 when nothing is staged, 5 when no model could be asked or none of its answers would do.
    """
    reporting.audience = "program" if as_json else "person"
    if bool(hook_args) != hook:
        raise click.UsageError("--hook takes the arguments that git gives to prepare-commit-msg, and nothing else does")
    flags: dict[str, Value] = {
        "model": model,
        "max_attempts": max_attempts,
        "max_tokens": max_tokens,
        "max_cost": max_cost,
        "max_seconds": max_seconds,
        "commits__ignore": ignore or None,
    }
    with log_setup.journal(verbose=verbose, log=log):
        if hook:
            _fill(root, hook_args, flags, record)
            return
        drafted = _draft(root, flags, record, quiet=as_json)
    if as_json:
        click.echo(json.dumps({"status": "drafted", "message": drafted.message, "unseen": list(drafted.unseen)}))
        return
    paint = Painter(sys.stderr)
    for what in drafted.unseen:
        say(paint(f"not shown to the model: {what}", dim=True), err=True)
    sys.stdout.write(drafted.message)


def _draft(
    root: str, flags: dict[str, Value], record: str | None, *, quiet: bool, quiet_settings: bool | None = None
) -> commits.NewMessage:
    with open_repository(root) as repo, ProgressLine(quiet=quiet) as progress:
        settings = settings_for(repo, quiet=quiet if quiet_settings is None else quiet_settings, **flags)

        def on_event(event: commits.CommitEvent) -> None:
            if isinstance(event, commits.AskStarted):
                progress.step(f"asking {event.model}")

        return commits.draft(repo, settings=settings, model=opener(settings, record, progress), on_event=on_event)


def _fill(root: str, args: tuple[str, ...], flags: dict[str, Value], record: str | None) -> None:
    """Write the draft before what git wrote into the file; whatever fails, the commit goes on."""
    file, source = Path(args[0]), args[1] if len(args) > 1 else ""
    if source in _HAS_ONE:
        return
    try:
        drafted = _draft(root, flags, record, quiet=False, quiet_settings=True)
        content = file.read_bytes()
        file.write_bytes(drafted.message.encode("utf-8", "surrogateescape") + content)
    except (InlayError, OSError) as error:
        say(f"inlay: no draft of a message: {error}", err=True)
