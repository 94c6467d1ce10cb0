"""`inlay commits amend`: give commits new messages, and change nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inlay import commits
from inlay.cli import options
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.input import read_bytes
from inlay.cli.model_session import opener, settings_for, show
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, say
from inlay.errors import NeedsDecision

if TYPE_CHECKING:
    from inlay.commits import Commit, NewMessage


@click.command("amend")
@click.argument("revision", required=False, metavar="[RANGE|COMMIT]")
@options.ROOT
@click.option("--from", "source", metavar="FILE", help="Read the messages from a file written by --save.")
@click.option("--edit", is_flag=True, help="Write the messages in an editor, all at once.")
@click.option("-m", "--message", metavar="TEXT", help="The message, for a single commit.")
@click.option("--only-failing", is_flag=True, help="Ask a model only about commits that break a rule.")
@options.IGNORE
@options.model_limits
@options.RECORD
@click.option("--save", metavar="FILE", help="Write the messages to a file for review and stop.")
@click.option("-y", "--yes", is_flag=True, help="Accept every message without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be rewritten and change nothing.")
@click.option("--allow-pushed", is_flag=True, help="Also rewrite commits that are on a remote.")
@click.option("--allow-merges", is_flag=True, help="Also rewrite merges, with all their parents.")
@click.option("--allow-shallow", is_flag=True, help="Also rewrite in a shallow clone, above its boundary.")
@click.option("--drop-signatures", is_flag=True, help="Also rewrite signed commits, which removes their signatures.")
@options.logging
@options.JSON
def command(
    revision: str | None,
    root: str,
    source: str | None,
    edit: bool,
    message: str | None,
    only_failing: bool,
    ignore: tuple[str, ...],
    limits: options.ModelLimits,
    record: str | None,
    save: str | None,
    yes: bool,
    dry_run: bool,
    allow_pushed: bool,
    allow_merges: bool,
    allow_shallow: bool,
    drop_signatures: bool,
    logging: options.Logging,
    as_json: bool,
) -> None:
    """Give commits better messages: those of a range, or one.

    A model writes them from the diffs, in the style of the repository and within its rules, unless --from, --edit or -m
    is given. You see old and new side by side, and accept, edit or skip each.

    Only messages change, and therefore commit ids. Trees, authors, dates, encodings and all other headers stay byte for
    byte; index and working tree are not touched. The old history is kept under refs/inlay/backup, and
    `inlay commits undo` restores it. Merges, signed commits and pushed commits are refused unless their flag is given;
    so is a repository in the middle of a rebase, merge or bisect.

    \b
    Examples:
      inlay commits amend main..HEAD                   a model writes them, you decide
      inlay commits amend main..HEAD --only-failing    only those that break a rule
      inlay commits amend main..HEAD --edit            write them all in an editor
      inlay commits amend main..HEAD --save m.txt      save them for review …
      inlay commits amend --from m.txt                 … and apply them
      inlay commits amend HEAD~2 -m "Fix the race"

    Exit codes: 0 done, or nothing to do; 2 no such commit or range; 4 approval required, or rewriting refused; 5 git or
    disk error.
    """
    from inlay.cli.log_setup import log_steps
    from inlay.cli.output.rewrite_text import print_amended
    from inlay.commits.messages import message_file
    from inlay.git.repository import open_repository

    if sum((source is not None, edit, message is not None)) > 1:
        raise click.UsageError("--from, --edit and -m are mutually exclusive")
    # The messages, or who writes them; None for a model.
    messages: Mapping[str, str] | Callable[[Sequence[Commit]], Mapping[str, str]] | None = _edit if edit else None
    if source is not None:
        messages = message_file.read(read_bytes(source).decode("utf-8", "surrogateescape"))
    elif message is not None:
        messages = partial(_one_message, message)
    with open_repository(root) as repo, log_steps(logging), ProgressLine(quiet=as_json) as progress:
        how: dict[str, Any] = {"messages": messages, "only_failing": only_failing}
        if messages is None:
            settings = settings_for(repo, limits, quiet=as_json, commits__ignore=ignore or None)
            how |= {"settings": settings, "model": opener(settings, record, progress)}
        how["on_event"] = partial(show, progress=progress)
        if save is not None:
            _save(save, commits.propose(repo, revision, **how))
            return
        allowed = commits.Allowed(allow_pushed, allow_merges, drop_signatures, allow_shallow)
        decide = None if yes else _decide
        amended = commits.amend(repo, revision, allowed=allowed, decide=decide, dry_run=dry_run, **how)
    print_amended(amended, as_json=as_json)


def _one_message(message: str, selected: Sequence[Commit]) -> Mapping[str, str]:
    if len(selected) != 1:
        raise click.UsageError(f"-m sets the message of one commit, but {len(selected)} are selected")
    return {selected[0].id: message}


def _edit(selected: Sequence[Commit]) -> Mapping[str, str]:
    from inlay.commits.messages import message_file
    from inlay.processes import editor

    text = message_file.render([commits.NewMessage(commit, commit.message) for commit in selected])
    written = editor.edit(text, "COMMIT_MESSAGES")
    return message_file.read(written) if written is not None else {}


def _save(file: str, proposals: Sequence[NewMessage]) -> None:
    from inlay.commits.messages import message_file

    written = [proposal for proposal in proposals if proposal.message]
    data = message_file.render(written).encode("utf-8", "surrogateescape")
    if file == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None
    count = "1 message is" if len(written) == 1 else f"{len(written)} messages are"
    say(Painter()(f"{count} in {file}; `inlay commits amend --from {file}` applies them.", "green"))


def _decide(proposals: Sequence[NewMessage]) -> Sequence[NewMessage]:
    from inlay.cli.ask.commit_review import decide

    dialogue = Dialogue.find()
    if dialogue is None:
        raise NeedsDecision("there is no terminal to ask on; --yes accepts all messages, --save writes them to a file")
    return decide(proposals, dialogue) or []
