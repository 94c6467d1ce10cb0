"""`inlay commits install-hooks`: install git hooks that check every commit message."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from inlay.cli import options
from inlay.cli.output.terminal import Painter, say, say_json


@click.command("install-hooks")
@options.ROOT
@click.option("--draft", is_flag=True, help="Also have a model draft a message for the staged changes.")
@click.option("--remove", "is_removing", is_flag=True, help="Remove the hooks.")
@options.JSON
def command(root: str, draft: bool, is_removing: bool, as_json: bool) -> None:
    """Install git hooks that check every commit message.

    Installs a commit-msg hook where git looks for it, core.hooksPath included; with --draft also a prepare-commit-msg
    hook, which sends the staged changes to the configured model. An existing hook is kept and runs first. A hooks
    directory shared by all repositories is not changed.

    \b
    Examples:
      inlay commits install-hooks
      inlay commits install-hooks --draft
      inlay commits install-hooks --remove
      git commit --no-verify                 skip the check once

    Exit codes: 0 done; 4 another file is in the way; 5 git or disk error.
    """
    from inlay.commits import install_hooks

    folder, placed = (
        install_hooks.remove(root) if is_removing else install_hooks.install(root, sys.executable, draft=draft)
    )
    if as_json:
        say_json({"folder": folder, "hooks": [asdict(hook) for hook in placed]})
        return
    paint = Painter()
    for hook in placed:
        older = "; the former hook " + ("is restored" if hook.action == "removed" else "runs before it")
        say(paint(f"{hook.name}: {hook.action}{older if hook.chained else ''}"))
    say(paint(f"Done: {folder}" if placed else "Nothing to do.", "green", bold=True))
