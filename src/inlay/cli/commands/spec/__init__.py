"""`inlay spec`: the commands about design documents, a file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "check": ("inlay.cli.commands.spec.check", "Check design documents against the project."),
    "init": ("inlay.cli.commands.spec.init", "Write an empty design document."),
    "show": ("inlay.cli.commands.spec.show", "Show what was understood of design documents."),
}


@click.group("spec", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Write, read and check design documents, which `inlay implement` turns into code.

    \b
    Examples:
      inlay spec init docs/retries.md       an empty document to fill in
      inlay spec check docs/retries.md      can it be implemented as it is?
      inlay spec show docs/retries.md       what was understood
    """
