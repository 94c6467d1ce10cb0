"""`inlay apply`: set the edits of a model's reply into a project."""

from __future__ import annotations

import json
from typing import BinaryIO

import click

from inlay.cli import approval_options, root_option
from inlay.cli import reply_input as replies
from inlay.cli.output import landing_text, receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.landing.decisions_json import GivenDecisions
from inlay.landing.land import land
from inlay.landing.land_options import LandOptions


@click.command("apply")
@replies.ARGUMENT
@root_option.ROOT
@replies.FORMAT
@click.option("--file", metavar="PATH", help="The file meant by edits that name none.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would happen and write nothing.")
@click.option("--strict", is_flag=True, help="Refuse fences and prose around the edits instead of passing over them.")
@click.option("--no-check", is_flag=True, help="Skip the checks of the result (syntax, leftover markers).")
@approval_options.options
@receipt_text.WAIT
@replies.JSON
@click.option("--feedback", is_flag=True, help="On refusal print the text that lets the model mend its reply.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_obj
def command(
    reporting: Reporting,
    reply: BinaryIO,
    root: str,
    format_name: str | None,
    file: str | None,
    dry_run: bool,
    strict: bool,
    no_check: bool,
    auto: bool,
    force: bool,
    yes: bool,
    decisions: GivenDecisions | None,
    threshold: int | None,
    wait: float,
    as_json: bool,
    feedback: bool,
    quiet: bool,
) -> None:
    """Set the edits of a model's reply into a project: all of them, or none and the reasons why.

    REPLY is a file with the reply as the model wrote it; without it, or with -, it is read from standard input.

    Replacing a long file, removing much of one, deleting one, or touching what is guarded needs a decision: it is
    asked for at the terminal, and without a terminal nothing is written. See docs/approval.md.

    \b
    Examples:
      inlay apply reply.md
      inlay apply --dry-run -C ~/src/project reply.md
      pbpaste | inlay apply
      inlay apply --format udiff --json - < reply.diff
      inlay apply --file src/app.py reply.md     the reply does not say which file
      inlay apply --feedback reply.md            what to send back to the model
      inlay apply --auto reply.md                ask nobody; fail where a person must decide

    Exits with 0 when every edit landed or already had, 3 when the reply was refused, 4 when a person must decide or
    a file changed under our hands, 5 when the disk or the system is at fault.
    """
    reporting.audience = "program" if as_json else "model" if feedback else "person"
    workspace = receipt_text.opened(root, wait)
    options = LandOptions(
        format_name, root_option.below(workspace.root, file), strict, not no_check, dry_run, threshold, force, yes
    )
    said = approval_options.Consent(auto, force, yes, threshold, decisions)
    approve = approval_options.approver(said, check=options.check, dry_run=dry_run, as_json=as_json)
    done = land(replies.read(reply), workspace, options=options, approve=approve)
    if as_json:
        click.echo(json.dumps(landing_text.as_json(done)))
    elif not quiet:
        landing_text.tell(done)
