"""`inlay commits install-hooks`: have git check every message before it becomes a commit."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT


@click.command("install-hooks")
@ROOT
@click.option("--draft", is_flag=True, help="Also have a model offer a message for what is staged.")
@click.option("--remove", "is_removing", is_flag=True, help="Take the hooks away again.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, draft: bool, is_removing: bool, as_json: bool) -> None:
    """Have git check every message before it becomes a commit.

    Puts a commit-msg hook where git looks for one, core.hooksPath included; with --draft a prepare-commit-msg hook too,
    which sends what is staged to the configured model. A hook that is there already is kept and runs first. A directory
    of hooks that all repositories share is left alone.

    \b
    Examples:
      inlay commits install-hooks
      inlay commits install-hooks --draft
      inlay commits install-hooks --remove
      git commit --no-verify                 passes over the check once

    Exits with 0 when it is done, 4 when a person must make room first, 5 when git or the disk is at fault.
    """
    from inlay.commits import install_hooks

    reporting.audience = "program" if as_json else "person"
    folder, placed = (
        install_hooks.remove(root) if is_removing else install_hooks.install(root, sys.executable, draft=draft)
    )
    if as_json:
        click.echo(json.dumps({"folder": folder, "hooks": [asdict(each) for each in placed]}))
        return
    paint = Painter(sys.stdout)
    for each in placed:
        older = "; the hook that was there " + ("is back" if each.action == "removed" else "runs before it")
        say(paint(f"{each.name}: {each.action}{older if each.chained else ''}"))
    say(paint(f"Done: {folder}" if placed else "Nothing to do.", "green", bold=True))
