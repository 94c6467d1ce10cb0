"""`inlay apply`: apply the edits in a model's reply to a project."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import BinaryIO

import click

from inlay.cli import options
from inlay.cli.input import read_reply, read_text, relative
from inlay.cli.output import landing_text
from inlay.cli.output.error_report import Reporting
from inlay.model.allowance import Allowance


@click.command("apply")
@options.REPLY
@options.ROOT
@options.REPLY_FORMAT
@click.option("--file", metavar="PATH", help="File to edit where the reply names none.")
@click.option(
    "--base",
    metavar="FILE|REV",
    help="What the model saw: the file, or a git revision; edits are merged with what has changed since.",
)
@options.DRY_RUN
@options.STRICT
@options.NO_CHECK
@options.ALLOW
@options.approval
@options.WAIT
@options.output
@click.option("--feedback", is_flag=True, help="On refusal print the text to send back to the model.")
@click.pass_obj
def command(
    reporting: Reporting,
    reply: BinaryIO,
    root: options.Root,
    format_name: str | None,
    file: str | None,
    base: str | None,
    dry_run: bool,
    strict: bool,
    no_check: bool,
    allow: frozenset[Allowance],
    approval: options.Approval,
    wait: float,
    output: options.Output,
    feedback: bool,
) -> None:
    """Apply the edits in a model's reply: all of them, or none, with the reasons.

    REPLY is a file with the reply as the model wrote it; without it, or with -, standard input is read.

    Replacing a long file, removing much of one, deleting one and changing a protected path need approval: you are
    asked at the terminal, and without a terminal nothing is written. See docs/approval.md.

    \b
    Examples:
      inlay apply reply.md
      inlay apply --dry-run -C ~/src/project reply.md
      pbpaste | inlay apply
      inlay apply --format udiff --json - < reply.diff
      inlay apply --file src/app.py reply.md     the reply does not name the file
      inlay apply --base HEAD~3 reply.md         the model saw older files
      inlay apply --feedback reply.md            print what to send back to the model
      inlay apply --auto reply.md                never ask; fail where approval is required

    Exit codes: 0 applied or already in place; 3 reply refused; 4 approval required, or a file changed meanwhile;
    5 disk or system error.
    """
    from inlay.cli.ask.approval_question import approver, land_options
    from inlay.landing.land import land

    if feedback and not output.as_json:
        reporting.audience = "model"
    workspace = landing_text.open_workspace(root, wait)
    chosen = land_options(
        approval,
        format=format_name,
        file=relative(root, file),
        directory=root.directory,
        strict=strict,
        check=not no_check,
        dry_run=dry_run,
        allow=allow,
    )
    if base is not None:
        is_file = os.path.isfile(base)
        chosen = replace(chosen, base=None if is_file else base, base_text=read_text(base) if is_file else None)
    approve = approver(approval, check=chosen.check, dry_run=dry_run, as_json=output.as_json)
    landing = land(read_reply(reply), workspace, options=chosen, approve=approve)
    landing_text.print_landing(landing, as_json=output.as_json, quiet=output.quiet)
