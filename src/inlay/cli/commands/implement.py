"""`inlay implement`: turn design documents into code with passing tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inlay.cli import command_settings, options
from inlay.cli.input import relative
from inlay.cli.output.terminal import safe

if TYPE_CHECKING:
    from inlay.implement.run.drive import Ending
    from inlay.implement.run.schedule import Document, Launch
    from inlay.model.settings import Settings


@click.command("implement")
@click.argument("documents", nargs=-1, required=True, metavar="DOC…", type=click.Path(exists=True))
@options.ROOT
@options.model_limits
@click.option("--auto", is_flag=True, help="Never ask: leave the run waiting where approval is required.")
@options.FORCE
@options.YES
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Documents at a time.")
@click.option("--worktree", is_flag=True, help="Work in a git worktree; merge back only when the tests pass.")
@click.option(
    "--max-iterations",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="How often failing tests are sent back to the model.",
)
@options.RECORD
@options.logging
@options.output
def command(
    documents: tuple[str, ...],
    root: options.Root,
    limits: options.ModelLimits,
    auto: bool,
    force: bool,
    yes: bool,
    jobs: int,
    worktree: bool,
    max_iterations: int,
    record: str | None,
    logging: options.Logging,
    output: options.Output,
) -> None:
    """Turn design documents into code: check the document, run its tests, write file by file, run them again.

    DOC is a design document or a directory of them. Every step is saved: whatever stops the command, `inlay resume`
    continues from there, and no answer is paid for twice. Where approval is required and nobody can be asked, the run
    waits; see docs/implement.md.

    \b
    Examples:
      inlay implement design.md
      inlay implement design.md --worktree --max-cost 2
      inlay implement docs/designs --jobs 3 --auto --json
      inlay implement design.md --model ollama:qwen2.5-coder

    Exit codes: 0 every document is green; 1 one stopped before that; 3 no valid answer from the model; 4 approval
    required; 5 no model available, or a limit reached.
    """
    from inlay.cli import run_workflow
    from inlay.cli.log_setup import log_steps
    from inlay.model.run import RunOptions

    settings = command_settings.load(root, quiet=output.silent, limits=limits)
    run_options = RunOptions(
        limits.model,
        auto,
        force,
        yes,
        worktree,
        max_iterations,
        max_cost=settings.number("max_cost"),
        max_tokens=settings.integer("max_tokens"),
        threshold=settings.integer("threshold") or 0,
    )
    project = str(Path(root).absolute())
    designs = _designs(documents, root, settings)

    async def work(launch: Launch) -> Sequence[Ending]:
        from inlay.implement.run.schedule import implement_all

        return await implement_all(designs, launch, run_options, jobs=jobs)

    with log_steps(logging):
        run_workflow.run(project, settings, run_options, work, several=len(designs) > 1, output=output, record=record)


def _designs(names: Sequence[str], root: options.Root, settings: Settings) -> list[Document]:
    """The design documents; in a directory, every Markdown file that lists files to change."""
    from inlay.implement.run.schedule import Document
    from inlay.implement.spec.parse_document import parse

    designs: dict[str, Document] = {}
    for name in names:
        for path in sorted(Path(name).rglob("*.md")) if Path(name).is_dir() else [Path(name)]:
            try:
                text = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise click.UsageError(f"{safe(str(path))} cannot be read: {error}") from None
            document = Document(relative(root, str(path.absolute())), text)
            if path == Path(name) or parse(text, document.name, settings.table("implement.headings")).files:
                designs.setdefault(document.name, document)
    if not designs:
        raise click.UsageError(f"there is no design document in {', '.join(map(safe, names))}")
    return list(designs.values())
