"""`inlay commits`: the commands about commits, a file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "amend": ("inlay.cli.commits.amend", "Give commits better messages."),
    "draft": ("inlay.cli.commits.draft", "Write a message for what is staged."),
    "check": ("inlay.cli.commits.check", "Check commit messages by rules."),
    "install-hooks": ("inlay.cli.commits.install_hooks", "Have git check every message before it becomes a commit."),
    "recover": ("inlay.cli.commits.recover", "Clear what an interrupted rewriting left behind."),
    "undo": ("inlay.cli.commits.undo", "Take back a rewriting of messages."),
    "plan": ("inlay.cli.commits.plan", "Show how the diffs of commits would be sent to a model."),
}


@click.group("commits", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Write, check and plan commit messages, however large the diff.

    \b
    Examples:
      inlay commits check main..HEAD         do the messages keep the rules?
      inlay commits amend main..HEAD         have a model write them anew, and decide about each
      inlay commits draft                    a message for what is staged
      inlay commits plan main..HEAD          what would be sent to a model, and what it would cost
    """
