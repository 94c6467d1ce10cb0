"""`inlay commits`: the commands about commits, one file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "amend": ("inlay.cli.commands.commits.amend", "Give commits better messages."),
    "draft": ("inlay.cli.commands.commits.draft", "Write a message for the staged changes."),
    "check": ("inlay.cli.commands.commits.check", "Check commit messages by rules."),
    "install-hooks": ("inlay.cli.commands.commits.install_hooks", "Install git hooks that check every commit message."),
    "recover": ("inlay.cli.commands.commits.recover", "Remove the lock files of an interrupted rewrite."),
    "undo": ("inlay.cli.commands.commits.undo", "Undo a rewrite of messages."),
    "plan": ("inlay.cli.commands.commits.plan", "Show how the diffs of commits would be sent to a model."),
}


@click.group("commits", cls=LazyGroup, sections={"Commands": COMMANDS})
def command() -> None:
    """Write, check and plan commit messages, however large the diff.

    \b
    Examples:
      inlay commits check main..HEAD         check messages by rules
      inlay commits amend main..HEAD         have a model rewrite them, and review each
      inlay commits draft                    write a message for the staged changes
      inlay commits plan main..HEAD          show what a model would be sent, and the cost
    """
