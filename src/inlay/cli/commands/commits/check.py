"""`inlay commits check`: check commit messages by rules, and with a model."""

from __future__ import annotations

import click

from inlay import commits
from inlay.cli import options
from inlay.cli.input import read_bytes
from inlay.cli.model_session import opener, settings_for, show
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.progress import ProgressLine


@click.command("check")
@click.argument("revision", required=False, metavar="[RANGE|COMMIT]")
@options.ROOT
@click.option(
    "--message", metavar="FILE", help="Check the message in a file, as a commit-msg hook does; - reads standard input."
)
@click.option(
    "--preset", type=click.Choice(["plain", "conventional"]), help="Rules to check, whatever the repository configures."
)
@click.option("--ai", is_flag=True, help="Also ask a model whether the messages describe the diffs.")
@options.IGNORE
@options.model_limits
@options.RECORD
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif", "github"]), help="Output format.")
@options.logging
@options.JSON
@click.pass_context
def command(
    context: click.Context,
    revision: str | None,
    root: str,
    message: str | None,
    preset: str | None,
    ai: bool,
    ignore: tuple[str, ...],
    limits: options.ModelLimits,
    record: str | None,
    format_: str | None,
    logging: options.Logging,
    as_json: bool,
) -> None:
    """Check commit messages by rules: those not yet upstream, a range, one commit, or a message in a file.

    The rules are those of the preset named by `--preset` or `commits.preset`, else those of the repository's own
    commitlint or gitlint configuration, else those of the lenient preset `plain`. [tool.inlay.commits.rules] changes
    single rules. docs/commits.md lists them all.

    With --ai a model sees every diff, however large, and checks what rules cannot. Answers are cached: an interrupted
    run continues where it stopped. A commit without an answer is unchecked, which never counts as passing.

    \b
    Examples:
      inlay commits check                         commits not yet upstream
      inlay commits check main..HEAD
      inlay commits check HEAD~3 --preset conventional
      inlay commits check --message .git/COMMIT_EDITMSG
      inlay commits check main..HEAD --format github
      inlay commits check main..HEAD --ai --max-cost 1

    Exit codes: 0 all pass, or nothing to check; 1 a commit fails; 2 no such commit or range; 5 git error;
    6 incomplete: some items unchecked.
    """
    from inlay.cli.log_setup import log_steps
    from inlay.cli.output import verdicts
    from inlay.git.repository import open_repository

    if message is not None and (revision is not None or ai):
        raise click.UsageError("--message cannot be combined with a range or --ai")
    form = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if form == "json" else "person"
    printer = verdicts.PRINTERS[form]()
    with open_repository(root) as repo, log_steps(logging), ProgressLine(quiet=printer.is_for_programs) as progress:
        settings = settings_for(
            repo, limits, quiet=printer.is_for_programs, commits__preset=preset, commits__ignore=ignore or None
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
        context.exit(1)
    if printer.counts["unchecked"]:
        context.exit(6)
