"""`inlay commits`: the commands about commits, a file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "amend": ("inlay.cli.commands.commits.amend", "Give commits better messages."),
    "draft": ("inlay.cli.commands.commits.draft", "Write a message for what is staged."),
    "check": ("inlay.cli.commands.commits.check", "Check commit messages by rules."),
    "install-hooks": (
        "inlay.cli.commands.commits.install_hooks",
        "Have git check every message before it becomes a commit.",
    ),
    "recover": ("inlay.cli.commands.commits.recover", "Clear what an interrupted rewriting left behind."),
    "undo": ("inlay.cli.commands.commits.undo", "Take back a rewriting of messages."),
    "plan": ("inlay.cli.commands.commits.plan", "Show how the diffs of commits would be sent to a model."),
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
