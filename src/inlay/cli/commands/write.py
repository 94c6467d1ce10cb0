"""`inlay write`: write any content to a file, as carefully as a reply is landed."""

from __future__ import annotations

import json
import os
import sys

import click

from inlay.cli import approval_options, root_option
from inlay.cli import reply_input as replies
from inlay.cli.output import landing_text, receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.engine.merging import STRATEGIES, Strategy
from inlay.landing.decisions_json import GivenDecisions
from inlay.landing.land_options import LandOptions
from inlay.landing.reply_text import as_text
from inlay.landing.write import Write, write_all


@click.command("write")
@click.argument("path")
@click.argument("content", default="-", metavar="[CONTENT | -]")
@root_option.ROOT
@click.option("--strategy", type=click.Choice(list(STRATEGIES)), help="How the content joins a file that exists.")
@click.option("--line", type=int, metavar="N", help="For insert: the content goes before this line, counted from 1.")
@click.option("--replace-existing", is_flag=True, help="For extend: members that are there give way to new ones.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would happen and write nothing.")
@click.option("--no-check", is_flag=True, help="Skip the checks of the result (syntax, leftover markers).")
@approval_options.options
@receipt_text.WAIT
@replies.JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_obj
def command(
    reporting: Reporting,
    path: str,
    content: str,
    root: str,
    strategy: Strategy | None,
    line: int | None,
    replace_existing: bool,
    dry_run: bool,
    no_check: bool,
    auto: bool,
    force: bool,
    yes: bool,
    decisions: GivenDecisions | None,
    threshold: int | None,
    wait: float,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write content to a file of the project; what would replace a long file needs a decision first.

    PATH is relative to the project's directory. CONTENT is the text itself; without it, or with -, it is read from
    standard input. A file that is not there yet is created with its directories.

    \b
    Examples:
      inlay write notes/todo.txt "buy milk"
      generate | inlay write src/state.py -
      inlay write --strategy append CHANGES.md - < entry.md
      inlay write --strategy insert --line 12 src/app.py "import sys"
      inlay write --strategy extend src/state.py - < new_methods.py
      inlay write --auto --json src/state.py - < state.py

    Exits with 0 when the file is as wanted, 3 when the content was refused, 4 when a person must decide or the file
    changed under our hands, 5 when the disk or the system is at fault.
    """
    reporting.audience = "program" if as_json else "person"
    if line is not None and strategy != "insert":
        raise click.UsageError("--line goes with --strategy insert")
    workspace = receipt_text.opened(root, wait)
    options = LandOptions(check=not no_check, dry_run=dry_run, threshold=threshold, force=force, yes=yes)
    said = approval_options.Consent(auto, force, yes, threshold, decisions)
    approve = approval_options.approver(said, check=options.check, dry_run=dry_run, as_json=as_json)
    wanted = Write(root_option.below(workspace.root, path), _text(content), strategy, line, replace_existing)
    done = write_all([wanted], workspace, options=options, approve=approve)
    if as_json:
        click.echo(json.dumps(landing_text.as_json(done)))
    elif not quiet:
        landing_text.tell(done)


def _text(content: str) -> str:
    if content != "-":
        if os.path.isfile(content):
            # Whoever names a file here means what is in it; writing its name would be a surprise.
            raise click.UsageError(f"CONTENT is the text itself; for the content of a file say: - < {content}")
        return content
    if sys.stdin.isatty():
        click.echo("Reading the content from the keyboard; end with Ctrl-D.", err=True)
    return as_text(sys.stdin.buffer.read(), "the content")
