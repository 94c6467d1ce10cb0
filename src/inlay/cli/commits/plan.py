"""`inlay commits plan`: what would be asked about commits, before any call."""

from __future__ import annotations

import click


@click.command("plan")
def command() -> None:
    """Show how diffs would be split and packed."""
