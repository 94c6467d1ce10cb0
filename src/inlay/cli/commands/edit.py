"""`inlay edit`: have a model change files, and land what it answers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict, dataclass, replace
from typing import Any

import click

from inlay.cli import approval_options, config_options, log_setup, root_option
from inlay.cli import reply_input as replies
from inlay.cli.output import landing_text as landing
from inlay.cli.output import receipt_text
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.event_lines import EventLines
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import Painter, hidden, say
from inlay.errors import GitFailed
from inlay.generation.generate import Proposal, land_proposal, propose
from inlay.git import create_commit
from inlay.landing.decisions_json import GivenDecisions
from inlay.landing.land import Landing
from inlay.landing.land_options import LandOptions
from inlay.llm import Model, open_model
from inlay.model.settings import Settings
from inlay.model.task import GenerateOptions, Mode, Task
from inlay.storage import Workspace


def _instruction(ctx: click.Context, param: click.Parameter, text: str) -> str:
    if text.startswith("@"):
        try:
            with click.open_file(text[1:], encoding="utf-8") as stream:
                text = stream.read()
        except (OSError, UnicodeDecodeError) as error:
            raise click.BadParameter(f"{text[1:]}: {error}") from None
    if not text.strip():
        raise click.BadParameter("an instruction must say something")
    return text


INSTRUCTION = click.option(
    "-m",
    "--message",
    "instruction",
    required=True,
    metavar="TEXT|@FILE",
    callback=_instruction,
    help="What to change; @FILE reads it from a file, @- from standard input.",
)


@click.command("edit")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@INSTRUCTION
@root_option.ROOT
@click.option("--context", multiple=True, metavar="FILE", help="A file to show the model that must not change.")
@config_options.asking
@config_options.FORMAT
@click.option(
    "--mode",
    type=click.Choice(["auto", "edits", "whole"]),
    default="auto",
    show_default=True,
    help="Ask for edits or for whole files; by the size of the file when not given.",
)
@click.option("--check", metavar="CMD", help="A command that must succeed on a copy of the result.")
@click.option("-n", "--dry-run", is_flag=True, help="Ask and show what would happen, but write nothing.")
@click.option("--commit", is_flag=True, help="Commit the changed files, and nothing else, with git.")
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the answers down for replay.")
@approval_options.options
@receipt_text.WAIT
@log_setup.journal_options
@replies.JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    instruction: str,
    root: str,
    context: tuple[str, ...],
    model: str | None,
    format: str | None,
    mode: str,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    check: str | None,
    dry_run: bool,
    commit: bool,
    record: str | None,
    auto: bool,
    force: bool,
    yes: bool,
    decisions: GivenDecisions | None,
    threshold: int | None,
    wait: float,
    verbose: bool,
    log: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Have a model change FILEs as the instruction says, and land its answer: all of it, or nothing.

    Files that do not exist are to be made. No other file is touched, whatever the model answers. An answer that is
    cut off, does not fit or breaks a file is asked for again with what was wrong; see docs/generation.md.

    \b
    Examples:
      inlay edit src/app.py -m "add a timeout of 30 seconds"
      inlay edit src/app.py tests/test_app.py -m @task.md --context docs/api.md
      inlay edit src/app.py -m "…" --check "pytest -q tests/test_app.py"
      inlay edit src/app.py -m "…" --model ollama:qwen2.5-coder --dry-run
      inlay edit src/app.py -m "…" --auto --max-cost 0.50 --commit --json

    Exits with 0 when the change landed, 3 when no answer would do, 4 when a person must decide, 5 when no model
    could be asked or a limit was reached.
    """
    reporting = ctx.find_object(Reporting)
    assert reporting is not None
    reporting.audience = "program" if as_json else "person"
    quiet = quiet or as_json
    settings = config_options.configured(
        root,
        quiet=quiet,
        model=model,
        format=format,
        check=check,
        max_attempts=max_attempts,
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_seconds=max_seconds,
        threshold=threshold,
    )
    workspace = receipt_text.opened(root, wait)
    names, shown = (tuple(root_option.below(workspace.root, each) for each in given) for given in (files, context))
    job = _Job(workspace, Task(names, instruction, shown, label="edit"), _options(settings, mode), dry_run, commit)
    said = approval_options.Consent(auto, force, yes, settings.integer("threshold") or 0, decisions)
    with log_setup.journal(verbose=verbose, log=log):
        opened = open_model(model, settings, os.environ, record=record)
        # The journal tells every step by itself.
        done = _run(job, opened, said, quiet=quiet or verbose, as_json=as_json)
    if as_json:
        click.echo(hidden(json.dumps(_as_json(done))))
    elif not quiet:
        _tell(done)


@dataclass(frozen=True, slots=True)
class _Job:
    workspace: Workspace
    task: Task
    options: GenerateOptions
    dry_run: bool
    commit: bool


@dataclass(frozen=True, slots=True)
class _Done:
    proposal: Proposal
    landing: Landing
    commit: str | None


def _options(settings: Settings, mode: str) -> GenerateOptions:
    config_options.require_format(settings)
    chosen: Mode | None = None if mode == "auto" else "edits" if mode == "edits" else "whole"
    return replace(GenerateOptions.of(settings), mode=chosen)


def _run(job: _Job, model: Model, said: approval_options.Consent, *, quiet: bool, as_json: bool) -> _Done:
    if job.commit and not job.dry_run:
        create_commit.require_clean(str(job.workspace.root), job.task.files)
    with ProgressLine(quiet=quiet) as progress:
        for note in model.notes:
            progress.line(progress.paint(f"note: {note}", "yellow"))
        watch = EventLines(progress, model.info.name)
        proposal = asyncio.run(propose(job.task, job.workspace, model, job.options, on_event=watch))
    options = LandOptions(dry_run=job.dry_run, threshold=said.threshold, force=said.force, yes=said.yes)
    approve = approval_options.approver(said, check=True, dry_run=job.dry_run, as_json=as_json)
    landed = land_proposal(proposal, job.workspace, options, approve)
    return _Done(proposal, landed, _committed(job, landed) if job.commit else None)


def _committed(job: _Job, landed: Landing) -> str | None:
    """The commit of what was just written; None where nothing was."""
    if landed.receipt is None or not landed.receipt.files:
        return None
    paths = [str(path) for file in landed.receipt.files for path in (file.path, file.source) if path]
    try:
        return create_commit.commit(str(job.workspace.root), paths, create_commit.message_for(job.task.instruction))
    except GitFailed as failure:
        raise create_commit.not_committed(landed.receipt.id, failure) from failure


def _tell(done: _Done) -> None:
    landing.tell(done.landing)
    paint = Painter(sys.stderr)
    proposal = done.proposal
    attempts = "1 attempt" if len(proposal.attempts) == 1 else f"{len(proposal.attempts)} attempts"
    cost = "" if proposal.cost is None else f", ${proposal.cost:.4f}"
    usage = f"{proposal.usage.input:,} tokens in and {proposal.usage.output:,} out"
    say(paint(f"{proposal.model}: {attempts}, {usage}{cost}, {proposal.seconds:.1f} s", dim=True), err=True)
    if done.commit:
        say(paint(f"Committed as {done.commit[:12]}.", "green"), err=True)


def _as_json(done: _Done) -> dict[str, Any]:
    proposal = done.proposal
    return {
        **landing.as_json(done.landing),
        "model": proposal.model,
        "mode": proposal.mode,
        "attempts": [asdict(attempt) for attempt in proposal.attempts],
        "usage": asdict(proposal.usage),
        "cost": proposal.cost,
        "seconds": round(proposal.seconds, 3),
        "whole_tokens": proposal.whole_tokens,
        "commit": done.commit,
    }
