"""`inlay commits check`: hold the messages of commits, or one that is about to become a commit, to the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from inlay.cli import config_options, log_setup
from inlay.cli import reply_input as replies
from inlay.cli.model_session import IGNORE, RECORD
from inlay.cli.output import verdicts
from inlay.cli.output.commit_progress import Counting
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.progress import ProgressLine
from inlay.cli.root_option import ROOT
from inlay.commits.messages import Ruleset
from inlay.model.commit import Verdict
from inlay.model.settings import Settings, Value

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
    telling = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if telling == "json" else "person"
    teller = verdicts.teller(telling)
    settings = _settings(
        root,
        quiet=teller.is_for_programs,
        commits__preset=preset,
        commits__ignore=ignore or None,
        model=model,
        max_attempts=max_attempts,
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_seconds=max_seconds,
    )
    with log_setup.journal(verbose=verbose, log=log):
        if ai:
            _judge(root, revision, settings, record, teller)
        else:
            for verdict in _verdicts(root, revision, message, settings, teller):
                teller.tell(verdict)
    teller.end()
    _leave(context, teller)


def _settings(root: str, *, quiet: bool, **flags: Value) -> Settings:
    from inlay.git import repository

    return config_options.configured(repository.top(root) or root, quiet=quiet, **flags)


def _rules(root: str, settings: Settings, teller: verdicts.Teller) -> Ruleset:
    from inlay.commits import check_rules

    rules = check_rules.rules_for(root, settings)
    teller.begin(rules)
    return rules


def _judge(root: str, revision: str | None, settings: Settings, record: str | None, teller: verdicts.Teller) -> None:
    """By the rules and by a model."""
    from inlay.cli.model_session import all_of, at_desk
    from inlay.commits import check_rules, session
    from inlay.git import objects

    rules = _rules(root, settings, teller)
    commits = list(check_rules.read(root, objects.listed(root, revision or objects.default_range(root))))
    if not commits:
        return

    def take(verdict: Verdict) -> bool:
        progress.clear()
        teller.tell(verdict)
        return not verdict.unchecked

    with ProgressLine(quiet=teller.is_for_programs) as progress:
        at = at_desk(root, settings, record, progress)
        judged = session.check_with_model(at, commits, rules)
        all_of(judged, at, "commits-check", len(commits), progress, take)


def _verdicts(
    root: str, revision: str | None, message: str | None, settings: Settings, teller: verdicts.Teller
) -> Iterator[Verdict]:
    from inlay.commits import check_rules
    from inlay.git import objects, repository

    rules = _rules(root, settings, teller)
    if message is not None:
        yield check_rules.check_message(_message(root, message), rules, repository.author(root))
        return
    ids = objects.listed(root, revision or objects.default_range(root))
    with Counting("checked", len(ids)) as progress:
        for verdict in check_rules.check_commits(check_rules.read(root, ids), rules):
            yield verdict
            progress.step()


def _message(root: str, file: str) -> str:
    """The message as git would take it."""
    from inlay.commits.messages import cleaned
    from inlay.git import repository

    data = sys.stdin.buffer.read() if file == "-" else _bytes(file)
    return cleaned(data.decode("utf-8", "surrogateescape"), repository.comment_mark(root))


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from None


def _leave(context: click.Context, teller: verdicts.Teller) -> None:
    if teller.counts["fails"]:
        context.exit(_FAILS)
    if teller.counts["unchecked"]:
        context.exit(_UNCHECKED)
