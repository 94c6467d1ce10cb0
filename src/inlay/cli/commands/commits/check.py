"""`inlay commits check`: hold the messages of commits, or one that is about to become a commit, to the rules."""

from __future__ import annotations

import click

from inlay import commits
from inlay.cli import config_options, log_setup
from inlay.cli import reply_input as replies
from inlay.cli.model_session import IGNORE, RECORD, opener, read_bytes, settings_for, show
from inlay.cli.output import verdicts
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.progress import ProgressLine
from inlay.cli.root_option import ROOT
from inlay.git.repository import open_repository

_FAILS, _UNCHECKED = 1, 6


@click.command("check")
@click.argument("revision", required=False, metavar="[RANGE|COMMIT]")
@ROOT
@click.option(
    "--message",
    "message",
    metavar="FILE",
    help="Check a message in a file instead, as git's commit-msg does; - reads it from standard input.",
)
@click.option(
    "--preset", type=click.Choice(["plain", "conventional"]), help="The rules to hold to, whatever the repository has."
)
@click.option("--ai", is_flag=True, help="Also have a model judge whether the messages say what the diffs do.")
@IGNORE
@config_options.asking
@RECORD
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif", "github"]), help="How to tell it.")
@log_setup.journal_options
@replies.JSON
@click.pass_context
def command(
    context: click.Context,
    revision: str | None,
    root: str,
    message: str | None,
    preset: str | None,
    ai: bool,
    ignore: tuple[str, ...],
    model: str | None,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    record: str | None,
    format_: str | None,
    verbose: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Check commit messages by rules: what is not yet upstream, a range, one commit, or a message in a file.

    The rules are those of a preset that is named, by `--preset` or by `commits.preset` in the configuration; without
    one those of the repository's own commitlint or gitlint configuration; without that the preset `plain`, which asks
    for little. [tool.inlay.commits.rules] changes single rules. docs/commits.md lists them all.

    With --ai a model is shown every diff, however large, and judges what rules cannot. Answers are kept: a run that was
    cut short goes on where it was. What got no answer is left unchecked, which never counts as passing.

    \b
    Examples:
      inlay commits check                         what is not yet upstream
      inlay commits check main..HEAD
      inlay commits check HEAD~3 --preset conventional
      inlay commits check --message .git/COMMIT_EDITMSG
      inlay commits check main..HEAD --format github
      inlay commits check main..HEAD --ai --max-cost 1

    Exits with 0 when all pass or there are none, 1 when a commit fails, 2 for a range that means nothing, 5 when git is
    at fault, 6 when none fails but some could not be checked.
    """
    if message is not None and (revision is not None or ai):
        raise click.UsageError("--message is checked by itself, and by rules")
    form = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if form == "json" else "person"
    printer = verdicts.printer(form)
    with (
        open_repository(root) as repo,
        log_setup.journal(verbose=verbose, log=log),
        ProgressLine(quiet=printer.is_for_programs) as progress,
    ):
        settings = settings_for(
            repo,
            quiet=printer.is_for_programs,
            commits__preset=preset,
            commits__ignore=ignore or None,
            model=model,
            max_attempts=max_attempts,
            max_tokens=max_tokens,
            max_cost=max_cost,
            max_seconds=max_seconds,
        )

        def on_event(event: commits.CommitEvent) -> None:
            if isinstance(event, commits.RulesRead):
                printer.begin(event.rules)
            elif isinstance(event, commits.CommitDone) and isinstance(event.result, commits.Verdict):
                progress.clear()
                printer.add(event.result)
            show(event, progress)

        if message is not None:
            text = read_bytes(message).decode("utf-8", "surrogateescape")
            printer.add(commits.check_message(repo, text, settings=settings, on_event=on_event))
        else:
            source = opener(settings, record, progress) if ai else None
            commits.check(repo, revision, settings=settings, model=source, on_event=on_event)
    printer.end()
    if printer.counts["fails"]:
        context.exit(_FAILS)
    if printer.counts["unchecked"]:
        context.exit(_UNCHECKED)
