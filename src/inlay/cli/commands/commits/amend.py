"""`inlay commits amend`: give commits better messages, and change nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inlay.cli import config_options, log_setup
from inlay.cli import reply_input as replies
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.model_session import IGNORE, RECORD
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.rewrite_text import tell, tell_planned
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.commits.messages import message_file
from inlay.errors import NeedsDecision, UnknownCommit
from inlay.model.commit import SHORT, Commit
from inlay.model.history_rewrite import Allowed, NewMessage
from inlay.model.settings import Settings, Value

if TYPE_CHECKING:
    from inlay.commits.reword import Reworded


@click.command("amend")
@click.argument("revision", required=False, metavar="[RANGE|COMMIT]")
@ROOT
@click.option("--from", "source", metavar="FILE", help="Take the messages from a file that --save wrote.")
@click.option("--edit", is_flag=True, help="Write the messages in an editor, all at once.")
@click.option("-m", "--message", metavar="TEXT", help="The message, where one commit is meant.")
@click.option("--only-failing", is_flag=True, help="Ask a model only about commits that break a rule.")
@IGNORE
@config_options.asking
@RECORD
@click.option("--save", metavar="FILE", help="Write the messages to a file for review, and stop there.")
@click.option("-y", "--yes", is_flag=True, help="Accept every message without a question.")
@click.option("--dry-run", is_flag=True, help="Show what would be rewritten, and change nothing.")
@click.option("--allow-pushed", is_flag=True, help="Also rewrite commits that are on a remote.")
@click.option("--allow-merges", is_flag=True, help="Also rewrite merges, with all their parents.")
@click.option("--allow-shallow", is_flag=True, help="Also rewrite in a shallow clone, above its boundary.")
@click.option("--drop-signatures", is_flag=True, help="Also rewrite signed commits, which then are unsigned.")
@log_setup.journal_options
@replies.JSON
@click.pass_obj
def command(
    reporting: Reporting,
    revision: str | None,
    root: str,
    source: str | None,
    edit: bool,
    message: str | None,
    only_failing: bool,
    ignore: tuple[str, ...],
    model: str | None,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    record: str | None,
    save: str | None,
    yes: bool,
    dry_run: bool,
    allow_pushed: bool,
    allow_merges: bool,
    allow_shallow: bool,
    drop_signatures: bool,
    verbose: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Give commits better messages: those of a range, or one.

    A model writes them from the diffs, in the style of the repository and within its rules, unless --from, --edit or -m
    says otherwise. You see old and new side by side, and accept, edit or skip each.

    Only messages change, and the ids that follow from them. Trees, authors, dates, encodings and every other header
    stay byte for byte; index and working tree are not touched. The old history is kept under refs/inlay/backup, and
    `inlay commits undo` brings it back. Merges, signed commits and commits that are on a remote are refused unless
    their flag says otherwise; so is a repository in the middle of a rebase or the like.

    \b
    Examples:
      inlay commits amend main..HEAD                   a model writes them, you decide
      inlay commits amend main..HEAD --only-failing    only those that break a rule
      inlay commits amend main..HEAD --edit            write them all in an editor
      inlay commits amend main..HEAD --save m.txt      to be changed and reviewed elsewhere …
      inlay commits amend --from m.txt                 … and applied, after a look at each
      inlay commits amend HEAD~2 -m "Fix the race"

    Exits with 0 when it is done or nothing is to do, 2 for a range that means nothing, 4 when it must not happen unseen
    or by itself, 5 when git or the disk is at fault.
    """
    reporting.audience = "program" if as_json else "person"
    if sum((source is not None, edit, message is not None)) > 1:
        raise click.UsageError("--from, --edit and -m are three ways to say the same; choose one")
    if source is None and not edit and message is None:
        limits = (max_attempts, max_tokens, max_cost, max_seconds)
        settings = _settings(root, limits, quiet=as_json, model=model, commits__ignore=ignore or None)
        with log_setup.journal(verbose=verbose, log=log):
            answers = _written(root, revision, settings, record, only_failing=only_failing, quiet=as_json)
        proposals = [NewMessage(each.commit, each.message) for each in answers if each.message]
    else:
        answers, proposals = [], _proposals(root, revision, source, edit, message)
    if save is not None:
        _save(save, proposals)
        return
    allowed = Allowed(allow_pushed, allow_merges, drop_signatures, allow_shallow)
    _rewrite(root, proposals, allowed, answers, yes=yes, dry_run=dry_run, as_json=as_json)


def _settings(root: str, limits: tuple[Value, ...], *, quiet: bool, **flags: Value) -> Settings:
    from inlay.git import repository

    attempts, tokens, cost, seconds = limits
    return config_options.configured(
        repository.top(root) or root,
        quiet=quiet,
        max_attempts=attempts,
        max_tokens=tokens,
        max_cost=cost,
        max_seconds=seconds,
        **flags,
    )


def _written(
    root: str, revision: str | None, settings: Settings, record: str | None, *, only_failing: bool, quiet: bool
) -> list[Reworded]:
    """What a model proposes; a commit that it has no message for keeps its own, and that is said."""
    from inlay.cli.model_session import all_of, at_desk
    from inlay.commits import check_rules, session

    rules = check_rules.rules_for(root, settings)
    commits = _commits(root, revision)
    if only_failing:
        verdicts = check_rules.check_commits(commits, rules)
        commits = [commit for commit, verdict in zip(commits, verdicts, strict=True) if verdict.outcome == "fails"]
    answers: list[Reworded] = []

    def take(reworded: Reworded) -> bool:
        answers.append(reworded)
        for what in reworded.unseen:
            progress.line(progress.paint(f"{reworded.commit.id[:SHORT]}: not shown to the model: {what}", dim=True))
        if not reworded.message:
            told = f"{reworded.commit.id[:SHORT]} keeps its message: {reworded.why}"
            progress.line(progress.paint(told, "yellow"))
        return bool(reworded.message)

    with ProgressLine(quiet=quiet) as progress:
        if commits:
            at = at_desk(root, settings, record, progress)
            written = session.propose_messages(at, commits, rules)
            all_of(written, at, "commits-amend", len(commits), progress, take)
    return answers


def _proposals(
    root: str, revision: str | None, source: str | None, edit: bool, message: str | None
) -> list[NewMessage]:
    if source is not None:
        return _from_file(root, source, revision)
    commits = _commits(root, revision)
    if message is not None:
        if len(commits) != 1:
            raise click.UsageError(f"-m gives one commit a message, and {len(commits)} are meant")
        return [NewMessage(commits[0], message)]
    return _edited([NewMessage(commit, commit.message) for commit in commits])


def _commits(root: str, revision: str | None) -> list[Commit]:
    from inlay.commits import check_rules
    from inlay.git import objects

    return list(check_rules.read(root, objects.listed(root, revision or objects.default_range(root))))


def _from_file(root: str, source: str, revision: str | None) -> list[NewMessage]:
    from inlay.commits import check_rules

    said = message_file.read(_text(source))
    known = {commit.id for commit in _commits(root, revision)} if revision else said.keys()
    if strange := [commit for commit in said if commit not in known]:
        raise UnknownCommit(f"{source} has a message for {strange[0][:10]}, which is not in {revision}")
    return [NewMessage(commit, said[commit.id]) for commit in check_rules.read(root, said)]


def _edited(proposals: Sequence[NewMessage]) -> list[NewMessage]:
    from inlay.processes import editor

    written = editor.edit(message_file.render(proposals), "COMMIT_MESSAGES")
    said = message_file.read(written) if written is not None else {}
    return [NewMessage(each.commit, said[each.commit.id]) for each in proposals if each.commit.id in said]


def _text(source: str) -> str:
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{source} cannot be read: {error.strerror}") from None
    return data.decode("utf-8", "surrogateescape")


def _save(file: str, proposals: Sequence[NewMessage]) -> None:
    data = message_file.render(proposals).encode("utf-8", "surrogateescape")
    if file == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None
    count = "1 message is" if len(proposals) == 1 else f"{len(proposals)} messages are"
    say(Painter(sys.stdout)(f"{count} in {file}; `inlay commits amend --from {file}` applies them.", "green"))


def _rewrite(
    root: str,
    proposals: Sequence[NewMessage],
    allowed: Allowed,
    answers: Sequence[Reworded],
    *,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from inlay.commits import rewrite

    new = rewrite.reworded(proposals)
    # Whatever stands against it is said before anybody has looked at a message.
    planned = rewrite.plan(root, new, allowed)
    if planned is not None and not yes and not dry_run:
        accepted = _decided([each for each in proposals if each.commit.id in new])
        planned = rewrite.plan(root, rewrite.reworded(accepted), allowed)
    if planned is None or dry_run:
        tell_planned(planned, answers, as_json=as_json)
        return
    tell(planned, rewrite.carry_out(root, planned), answers, as_json=as_json)


def _decided(proposals: Sequence[NewMessage]) -> Sequence[NewMessage]:
    from inlay.cli.ask.commit_review import decide

    dialogue = Dialogue.find()
    if dialogue is None:
        raise NeedsDecision("there is nobody to ask about the messages; --yes accepts them all, --save keeps them")
    return decide(proposals, dialogue) or []
