"""`inlay edit`: have a model edit files, and apply its answer."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

import click

from inlay.cli import command_settings, options
from inlay.cli.input import relative
from inlay.cli.output import landing_text
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, hidden, say
from inlay.model.allowance import Allowance

if TYPE_CHECKING:
    from inlay.generation.generate import Proposal
    from inlay.landing.land import Landing
    from inlay.storage import Workspace


def _instruction(ctx: click.Context, param: click.Parameter, text: str) -> str:
    if text.startswith("@"):
        try:
            with click.open_file(text[1:], encoding="utf-8") as stream:
                text = stream.read()
        except (OSError, UnicodeDecodeError) as error:
            raise click.BadParameter(f"{text[1:]}: {error}") from None
    if not text.strip():
        raise click.BadParameter("the instruction is empty")
    return text


@click.command("edit")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "-m",
    "--message",
    "instruction",
    required=True,
    metavar="TEXT|@FILE",
    callback=_instruction,
    help="What to change; @FILE reads it from a file, @- from standard input.",
)
@options.ROOT
@click.option("--context", multiple=True, metavar="FILE", help="File to show to the model but not to change.")
@options.model_limits
@options.EDIT_FORMAT
@click.option(
    "--mode",
    type=click.Choice(["auto", "edits", "whole"]),
    default="auto",
    show_default=True,
    help="Request edits or whole files; auto decides by file size.",
)
@click.option("--check", metavar="CMD", help="Command that must succeed on a copy of the result.")
@options.DRY_RUN
@options.ALLOW
@click.option("--commit", is_flag=True, help="Commit the changed files, and nothing else, with git.")
@options.RECORD
@options.approval
@options.WAIT
@options.logging
@options.output
def command(
    files: tuple[str, ...],
    instruction: str,
    root: options.Root,
    context: tuple[str, ...],
    limits: options.ModelLimits,
    format: str | None,
    mode: Literal["auto", "edits", "whole"],
    check: str | None,
    dry_run: bool,
    allow: frozenset[Allowance],
    commit: bool,
    record: str | None,
    approval: options.Approval,
    wait: float,
    logging: options.Logging,
    output: options.Output,
) -> None:
    """Have a model edit files, and apply its answer: all of it, or nothing.

    FILEs that do not exist are created. No other file is changed, whatever the model answers. An answer that is cut
    off, does not fit or breaks a file is sent back with the reasons; see docs/generation.md.

    \b
    Examples:
      inlay edit src/app.py -m "add a timeout of 30 seconds"
      inlay edit src/app.py tests/test_app.py -m @task.md --context docs/api.md
      inlay edit src/app.py -m "…" --check "pytest -q tests/test_app.py"
      inlay edit src/app.py -m "…" --model ollama:qwen2.5-coder --dry-run
      inlay edit src/app.py -m "…" --auto --max-cost 0.50 --commit --json

    Exit codes: 0 applied; 3 no valid answer from the model; 4 approval required; 5 no model available, or a limit
    reached.
    """
    from inlay.cli.ask.approval_question import approver, land_options
    from inlay.cli.log_setup import log_steps
    from inlay.cli.output.event_lines import EventLines
    from inlay.generation.generate import land_proposal, propose
    from inlay.git import create_commit
    from inlay.llm import open_model
    from inlay.model.task import GenerateOptions, Task

    settings = command_settings.load(
        root, quiet=output.silent, limits=limits, format=format, check=check, threshold=approval.threshold
    )
    approval = replace(approval, threshold=settings.integer("threshold") or 0)
    workspace = landing_text.open_workspace(root, wait)
    names, shown = (tuple(relative(root, name) for name in given) for given in (files, context))
    task = Task(names, instruction, shown, label="edit")
    command_settings.require_format(settings)
    generate_options = replace(GenerateOptions.of(settings), mode=None if mode == "auto" else mode, allow=allow)
    with log_steps(logging):
        model = open_model(limits.model, settings, os.environ, record=record)
        if commit and not dry_run:
            create_commit.require_clean(str(workspace.root), task.files)
        # With --verbose the log shows every step.
        with ProgressLine(quiet=output.silent or logging.verbose) as progress:
            for note in model.notes:
                progress.line(progress.paint(f"note: {note}", "yellow"))
            on_event = EventLines(progress, model.info.name)
            proposal = asyncio.run(propose(task, workspace, model, generate_options, on_event=on_event))
        approve = approver(approval, check=True, dry_run=dry_run, as_json=output.as_json)
        landing = land_proposal(proposal, workspace, land_options(approval, dry_run=dry_run), approve)
        commit_id = _commit(workspace, landing, instruction) if commit else None
    if output.as_json:
        click.echo(hidden(json.dumps(_as_json(proposal, landing, commit_id))))
    elif not output.quiet:
        landing_text.print_landing(landing, as_json=False)
        _print_usage(proposal, commit_id)


def _commit(workspace: Workspace, landing: Landing, instruction: str) -> str | None:
    """The commit of what was just written; None where nothing was."""
    from inlay.errors import GitFailed
    from inlay.git import create_commit

    if landing.receipt is None or not landing.receipt.files:
        return None
    paths = [str(path) for file in landing.receipt.files for path in (file.path, file.source) if path]
    try:
        return create_commit.commit(str(workspace.root), paths, create_commit.message_for(instruction))
    except GitFailed as failure:
        raise create_commit.not_committed(landing.receipt.id, failure) from failure


def _print_usage(proposal: Proposal, commit_id: str | None) -> None:
    paint = Painter(sys.stderr)
    attempts = "1 attempt" if len(proposal.attempts) == 1 else f"{len(proposal.attempts)} attempts"
    cost = "" if proposal.cost is None else f", ${proposal.cost:.4f}"
    usage = f"{proposal.usage.input:,} tokens in and {proposal.usage.output:,} out"
    say(paint(f"{proposal.model}: {attempts}, {usage}{cost}, {proposal.seconds:.1f} s", dim=True), err=True)
    if commit_id:
        say(paint(f"Committed as {commit_id[:12]}.", "green"), err=True)


def _as_json(proposal: Proposal, landing: Landing, commit_id: str | None) -> dict[str, Any]:
    from inlay.render.landing import landing_json

    return {
        **landing_json(landing),
        "model": proposal.model,
        "mode": proposal.mode,
        "attempts": [asdict(attempt) for attempt in proposal.attempts],
        "usage": asdict(proposal.usage),
        "cost": proposal.cost,
        "seconds": round(proposal.seconds, 3),
        "whole_tokens": proposal.whole_tokens,
        "commit": commit_id,
    }
