"""`inlay commits plan`: what a model would be sent about commits, and the cost."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from inlay.cli import command_settings, options
from inlay.cli.output.terminal import Painter, say

if TYPE_CHECKING:
    from inlay.commits.chunk_plan import CommitPlan, PlanOptions
    from inlay.git.repository import Repository
    from inlay.model.settings import Settings

_PATIENCE = 0.2  # seconds between two writes; a write for each line would take longer than the planning
_MOST_NAMED = 8  # files of a chunk that are named without --verbose


@click.command("plan")
@click.argument("revision", metavar="RANGE|COMMIT")
@options.ROOT
@options.MODEL
@click.option("--budget", type=click.IntRange(100), metavar="TOKENS", help="Diff tokens in one chunk.")
@options.IGNORE
@click.option("-v", "--verbose", is_flag=True, help="Name every file of every chunk.")
@options.JSON
def command(
    revision: str,
    root: str,
    model: str | None,
    budget: int | None,
    ignore: tuple[str, ...],
    verbose: bool,
    as_json: bool,
) -> None:
    """Show how the diffs of commits would be sent to a model: chunks, tokens, requests and cost, before any call.

    A diff that fits is sent whole. A larger one is split at files, then at hunks, then between lines, and packed so
    that neighbours stay together. Only binaries and single lines beyond the budget are replaced by a placeholder, and
    listed. A merge is compared with its first parent. Works in a bare repository.

    Without a model, three bytes count as one token.

    \b
    Examples:
      inlay commits plan HEAD --budget 8000
      inlay commits plan main..HEAD --model anthropic:claude-sonnet-5
      inlay commits plan v1.0..v2.0 --ignore @lock --ignore 'dist/' --ignore @generated
      inlay commits plan HEAD --budget 2000 --json | jq '.chunks | length'

    Exit codes: 0 shown; 2 no such commit or range.
    """
    from inlay.commits.chunk_plan import plan_range
    from inlay.git.repository import open_repository
    from inlay.render.commit_plan import commit_plan_json

    with open_repository(root) as repo:
        settings = command_settings.load(root, quiet=as_json, model=model, commits__ignore=ignore or None)
        plan_options = _options(repo, settings, budget)
        plans = plan_range(repo, revision, plan_options)
        if not as_json:
            _print(plans, plan_options, verbose)
            return
        for plan in plans:
            sys.stdout.write(json.dumps(commit_plan_json(plan, plan_options.model)) + "\n")


def _options(repo: Repository, settings: Settings, budget: int | None) -> PlanOptions:
    from inlay.commits import session
    from inlay.commits.chunk_plan import PlanOptions
    from inlay.llm.models import model_names
    from inlay.llm.models.registry import look_up
    from inlay.storage.stores.commit_state import RepositoryState

    name, ignore = settings.text("model"), settings.texts("commits.ignore")
    if name is None:
        if budget is None:
            raise click.UsageError("No model is configured; use --model NAME or --budget TOKENS.")
        return PlanOptions.of(None, budget, ignore)
    # The model's limits and prices; it need not be reachable.
    info, notes = look_up(model_names.parse(name), settings.table("models"))
    for note in notes:
        say(f"note: {note}", err=True)
    # Earlier answers may have shown that less fits a request than the table says.
    factor, _ = RepositoryState(repo.common_dir).factors().get(info.name, (1.0, 0))
    room = session.room(info, factor)
    return PlanOptions.of(info, min(room, budget or room), ignore)


def _print(plans: Iterable[CommitPlan], options: PlanOptions, verbose: bool) -> None:
    from inlay.commits.chunk_plan import PlanTotals

    paint = Painter()
    totals = PlanTotals(options)
    shown, waiting = time.monotonic(), list[str]()
    for plan in plans:
        totals.add(plan)
        waiting += _lines(plan, options, paint, verbose)
        if time.monotonic() - shown > _PATIENCE:
            say("\n".join(waiting))
            shown, waiting = time.monotonic(), []
    if waiting:
        say("\n".join(waiting))
    totals = totals.finish()
    counts = [_count(totals.commits, "commit"), f"{totals.tokens:,} tokens of diff", _count(totals.requests, "request")]
    counts += [f"{totals.placeholders:,} placeholders"] if totals.placeholders else []
    counts += [f"{totals.left_out:,} left out"] if totals.left_out else []
    counts += [f"about ${totals.cost:.2f}"] if totals.cost is not None else []
    say(paint(f"{', '.join(counts)}; {options.capacity:,} tokens of diff fit a request", bold=True))


def _lines(plan: CommitPlan, options: PlanOptions, paint: Painter, verbose: bool) -> Iterator[str]:
    from inlay.model.commit import SHORT

    counts = [f"{plan.tokens:,} tokens", _count(len(plan.chunks), "chunk"), _count(plan.requests, "request")]
    cost = options.model.price(plan.usage) if options.model else None
    counts += [f"${cost:.4f}"] if cost is not None else []
    yield f"{paint(plan.commit[:SHORT], 'yellow')} {', '.join(counts)}"
    for number, chunk in enumerate(plan.chunks, 1):
        if len(plan.chunks) > 1 or verbose:
            paths = chunk.paths if verbose else chunk.paths[:_MOST_NAMED]
            more = f" and {len(chunk.paths) - len(paths)} more" if len(chunk.paths) > len(paths) else ""
            yield paint(f"  {number}: {chunk.tokens:,} tokens: {', '.join(paths)}{more}", dim=True)
    for piece in plan.placeholders:
        assert piece.placeholder is not None
        reason = "binary" if piece.placeholder.reason == "binary" else "a line too long for a chunk"
        size = f"{piece.placeholder.bytes:,} bytes, {piece.placeholder.tokens:,} tokens"
        yield f"  {paint('!', 'yellow')} {paint(piece.path)}: {reason}, {size}"
    for file in plan.left_out:
        yield f"  {paint('-', 'yellow')} {paint(f'{file.path}: left out by {file.pattern}, {file.tokens:,} tokens')}"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
