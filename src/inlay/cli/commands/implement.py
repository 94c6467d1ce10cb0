"""`inlay implement`: turn design documents into code with green tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inlay.cli import config_options, log_setup, root_option, run_workflow
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import safe
from inlay.model.run import RunOptions
from inlay.model.settings import Settings

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.run.schedule import Document, Launch


@click.command("implement")
@click.argument("documents", nargs=-1, required=True, metavar="DOC…", type=click.Path(exists=True))
@root_option.ROOT
@config_options.asking
@click.option("--auto", is_flag=True, help="Never ask: leave the run waiting where approval is required.")
@click.option("--force", is_flag=True, help="Consent to everything that needs a decision.")
@click.option("-y", "--yes", is_flag=True, help="Consent to what is small; never to what --force is for.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Documents at a time.")
@click.option("--worktree", is_flag=True, help="Work in a git worktree; merge back only when the tests are green.")
@click.option(
    "--max-iterations",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="How often failing tests are given back to the model.",
)
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the answers down for replay.")
@log_setup.journal_options
@replies.JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_obj
def command(
    reporting: Reporting,
    documents: tuple[str, ...],
    root: str,
    model: str | None,
    max_attempts: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    auto: bool,
    force: bool,
    yes: bool,
    jobs: int,
    worktree: bool,
    max_iterations: int,
    record: str | None,
    verbose: bool,
    log: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Turn design documents into code: check the document, run its tests, write file by file, run them again.

    DOC is a design document or a directory of them. Every step is stored: whatever stops the command, `inlay resume`
    continues from there, and no answer is paid for twice. Where approval is required and nobody can be asked, the run
    waits; see docs/implement.md.

    \b
    Examples:
      inlay implement design.md
      inlay implement design.md --worktree --max-cost 2
      inlay implement docs/designs --jobs 3 --auto --json
      inlay implement design.md --model ollama:qwen2.5-coder

    Exits with 0 when every document is green, 1 when one stopped before that, 3 when no answer could be used, 4 when
    approval is required, 5 when no model could be asked or a limit was reached.
    """
    reporting.audience = "program" if as_json else "person"
    quiet = quiet or as_json
    settings = config_options.configured(
        root,
        quiet=quiet,
        model=model,
        max_attempts=max_attempts,
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_seconds=max_seconds,
    )
    options = _options(settings, RunOptions(model, auto, force, yes, worktree, max_iterations))
    where = str(Path(root).absolute())
    found = _found(documents, where, settings)

    async def work(launch: Launch) -> Sequence[Ending]:
        from inlay.implement.run.schedule import implement_all

        return await implement_all(found, launch, options, jobs=jobs)

    with log_setup.journal(verbose=verbose, log=log):
        endings = run_workflow.run(
            where, settings, options, work, several=len(found) > 1, quiet=quiet, as_json=as_json, record=record
        )
    run_workflow.tell(endings, as_json=as_json, quiet=quiet)


def _options(settings: Settings, given: RunOptions) -> RunOptions:
    from dataclasses import replace

    return replace(
        given,
        max_cost=settings.number("max_cost"),
        max_tokens=settings.integer("max_tokens"),
        threshold=settings.integer("threshold") or 0,
    )


def _found(names: Sequence[str], root: str, settings: Settings) -> list[Document]:
    """The documents; in a directory, every Markdown file that lists files to change."""
    from inlay.implement.run.schedule import Document, understood

    found: dict[str, Document] = {}
    for name in names:
        inside = sorted(Path(name).rglob("*.md")) if os.path.isdir(name) else [Path(name)]
        for path in inside:
            document = Document(_name(path, root), _text(path))
            if path == Path(name) or understood(document, settings.table("implement.headings")).files:
                found.setdefault(document.name, document)
    if not found:
        raise click.UsageError(f"there is no design document in {', '.join(map(safe, names))}")
    return list(found.values())


def _name(path: Path, root: str) -> str:
    return root_option.below(Path(root), str(path.absolute()))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{safe(str(path))} cannot be read: {error}") from None
