"""`inlay write`: write content to a file with the same safety as applying a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from inlay.cli import options
from inlay.cli.input import read_content, relative
from inlay.cli.output import landing_text
from inlay.model.allowance import Allowance

if TYPE_CHECKING:
    from inlay.engine.merging import Strategy


@click.command("write")
@click.argument("path")
@click.argument("content", default="-", metavar="[CONTENT | -]")
@options.ROOT
@click.option(
    "--strategy",
    type=click.Choice(["append", "insert", "extend", "replace"]),
    help="How to combine the content with an existing file.",
)
@click.option("--line", type=int, metavar="N", help="For insert: put the content before this line, counted from 1.")
@click.option("--replace-existing", is_flag=True, help="For extend: replace existing members of the same name.")
@options.DRY_RUN
@options.NO_CHECK
@options.ALLOW
@options.approval
@options.WAIT
@options.output
def command(
    path: str,
    content: str,
    root: options.Root,
    strategy: Strategy | None,
    line: int | None,
    replace_existing: bool,
    dry_run: bool,
    no_check: bool,
    allow: frozenset[Allowance],
    approval: options.Approval,
    wait: float,
    output: options.Output,
) -> None:
    """Write content to a file. Replacing a long file needs approval.

    PATH is relative to the current directory, or to --root if that is given. CONTENT is the text itself; without it, or
    with -, standard input is read. A new file is created together with its directories.

    \b
    Examples:
      inlay write notes/todo.txt "buy milk"
      generate | inlay write src/state.py -
      inlay write --strategy append CHANGES.md - < entry.md
      inlay write --strategy insert --line 12 src/app.py "import sys"
      inlay write --strategy extend src/state.py - < new_methods.py
      inlay write --auto --json src/state.py - < state.py

    Exit codes: 0 written or already in place; 3 content refused; 4 approval required, or the file changed meanwhile;
    5 disk or system error.
    """
    from inlay.cli.ask.approval_question import approver, land_options
    from inlay.landing.write import Write, write_all

    if line is not None and strategy != "insert":
        raise click.UsageError("--line requires --strategy insert")
    workspace = landing_text.open_workspace(root, wait)
    chosen = land_options(approval, check=not no_check, dry_run=dry_run, allow=allow)
    approve = approver(approval, check=chosen.check, dry_run=dry_run, as_json=output.as_json)
    write = Write(relative(root, path), read_content(content), strategy, line, replace_existing)
    landing = write_all([write], workspace, options=chosen, approve=approve)
    landing_text.print_landing(landing, as_json=output.as_json, quiet=output.quiet)
