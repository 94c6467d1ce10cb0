"""`inlay spec`: the commands about design documents, one file each."""

from __future__ import annotations

import click

from inlay.cli.lazy import LazyGroup

COMMANDS = {
    "check": ("inlay.cli.commands.spec.check", "Check design documents against the project."),
    "init": ("inlay.cli.commands.spec.init", "Create an empty design document."),
    "show": ("inlay.cli.commands.spec.show", "Show design documents as they were parsed."),
}


@click.group("spec", cls=LazyGroup, sections={"Commands": COMMANDS})
def command() -> None:
    """Create, show and check design documents, which `inlay implement` turns into code.

    \b
    Examples:
      inlay spec init docs/retries.md       create an empty document
      inlay spec check docs/retries.md      check that it can be implemented
      inlay spec show docs/retries.md       show it as parsed
    """
