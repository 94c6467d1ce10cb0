"""`inlay commits check`: hold the messages of commits, or one that is about to become a commit, to the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from inlay.cli import configuration
from inlay.cli import reply as replies
from inlay.cli.commits import verdicts
from inlay.cli.commits.counting import Counting
from inlay.cli.place import ROOT
from inlay.cli.reporting import Reporting
from inlay.model.commit import Verdict

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
@click.option("--format", "format_", type=click.Choice(["text", "json", "sarif", "github"]), help="How to tell it.")
@replies.JSON
@click.pass_context
def command(
    context: click.Context,
    revision: str | None,
    root: str,
    message: str | None,
    preset: str | None,
    format_: str | None,
    as_json: bool,
) -> None:
    """Check commit messages by rules: what is not yet upstream, a range, one commit, or a message in a file.

    The rules are those of a preset that is named, by `--preset` or by `commits.preset` in the configuration; without
    one those of the repository's own commitlint or gitlint configuration; without that the preset `plain`, which asks
    for little. [tool.inlay.commits.rules] changes single rules. docs/commits.md lists them all.

    \b
    Examples:
      inlay commits check                         what is not yet upstream
      inlay commits check main..HEAD
      inlay commits check HEAD~3 --preset conventional
      inlay commits check --message .git/COMMIT_EDITMSG
      inlay commits check main..HEAD --format github

    Exits with 0 when all pass or there are none, 1 when a commit fails, 2 for a range that means nothing, 5 when git is
    at fault, 6 when none fails but some could not be checked.
    """
    if message is not None and revision is not None:
        raise click.UsageError("a range and --message cannot be checked at once")
    telling = "json" if as_json else format_ or "text"
    reporting: Reporting = context.obj
    reporting.audience = "program" if telling == "json" else "person"
    teller = verdicts.teller(telling)
    for verdict in _verdicts(root, revision, message, preset, teller):
        teller.tell(verdict)
    teller.end()
    _leave(context, teller)


def _verdicts(
    root: str, revision: str | None, message: str | None, preset: str | None, teller: verdicts.Teller
) -> Iterator[Verdict]:
    from inlay.flows import check
    from inlay.processes import objects, repository

    settings = configuration.configured(
        repository.top(root) or root, quiet=teller.is_for_programs, commits__preset=preset
    )
    rules = check.rules_for(root, settings)
    teller.begin(rules)
    if message is not None:
        yield check.check_message(_message(root, message), rules, repository.author(root))
        return
    ids = objects.listed(root, revision or objects.default_range(root))
    with Counting("checked", len(ids)) as progress:
        for verdict in check.check_commits(check.read(root, ids), rules):
            yield verdict
            progress.step()


def _message(root: str, file: str) -> str:
    """The message as git would take it."""
    from inlay.messages import cleaned
    from inlay.processes import repository

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
