"""`inlay commits undo`: undo a rewrite of messages."""

from __future__ import annotations

import click

from inlay import commits
from inlay.cli import options
from inlay.cli.output.terminal import say, say_json


@click.command("undo")
@click.argument("number", required=False, type=int, metavar="[NUMBER]")
@options.ROOT
@click.option("--list", "is_listing", is_flag=True, help="List the rewrites that can be undone.")
@options.JSON
def command(number: int | None, root: str, is_listing: bool, as_json: bool) -> None:
    """Undo a rewrite of messages: the last one on this branch, or the one with that NUMBER.

    The branch is set back to its former commit, provided that it is still where the rewrite left it. Otherwise nothing
    happens, and the old history stays under refs/inlay/backup.

    \b
    Examples:
      inlay commits undo
      inlay commits undo --list
      inlay commits undo 3

    Exit codes: 0 done; 2 no such rewrite; 4 the branch has moved since; 5 git error.
    """
    from inlay.cli.output.rewrite_text import backup_line, print_undone
    from inlay.render.amended import backup_json

    if not is_listing:
        print_undone(commits.undo(root, number), as_json=as_json)
    elif as_json:
        say_json([backup_json(backup) for backup in commits.backups(root)])
    else:
        for backup in commits.backups(root):
            say(backup_line(backup))
