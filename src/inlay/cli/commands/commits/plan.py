"""`inlay commits plan`: what would be asked about commits, before any call."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator

import click

from inlay.cli.config_options import MODEL, configured
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.commits.chunk_plan import CommitPlan, PlanOptions, PlanTotals, plan_range, usage
from inlay.git.repository import Repository, open_repository
from inlay.model.answer import ModelInfo
from inlay.model.git_diff import Chunk
from inlay.model.settings import Settings
from inlay.render.commit_plan import commit_plan_json

_SHORT = 10
_PATIENCE = 0.2  # seconds until what is known is shown; a line at a time would take longer than the planning
_MOST_NAMED = 8  # files of a chunk that are named without --verbose


@click.command("plan")
@click.argument("revision", metavar="RANGE|COMMIT")
@ROOT
@MODEL
@click.option("--budget", type=click.IntRange(100), metavar="TOKENS", help="Diff tokens in one chunk.")
@click.option(
    "--ignore", multiple=True, metavar="GLOB", help="Leave out files, as in .gitignore; or @lock, @generated."
)
@click.option("-v", "--verbose", is_flag=True, help="Name every file of every chunk.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; see docs/json.md.")
@click.pass_obj
def command(
    reporting: Reporting,
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
    that neighbours stay together. Only binaries and single lines beyond the budget give way to a placeholder, which is
    named. A merge is compared to its first parent. Works in a bare repository.

    Without a model, three bytes count as one token.

    \b
    Examples:
      inlay commits plan HEAD --budget 8000
      inlay commits plan main..HEAD --model anthropic:claude-sonnet-5
      inlay commits plan v1.0..v2.0 --ignore @lock --ignore 'dist/' --ignore @generated
      inlay commits plan HEAD --budget 2000 --json | jq '.chunks | length'

    Exits with 0, or with 2 when there is no such commit or range.
    """
    reporting.audience = "program" if as_json else "person"
    with open_repository(root) as repo:
        settings = configured(root, quiet=as_json, model=model, commits__ignore=ignore or None)
        options = _options(repo, settings, budget)
        plans = plan_range(repo, revision, options)
        if as_json:
            for plan in plans:
                sys.stdout.write(json.dumps(commit_plan_json(plan, options.model)) + "\n")
        else:
            _print(plans, options, verbose)


def _options(repo: Repository, settings: Settings, budget: int | None) -> PlanOptions:
    info, ignore = _info(settings), settings.texts("commits.ignore")
    if info is None:
        if budget is None:
            raise click.UsageError("Say --model NAME or --budget TOKENS; no model is configured.")
        return PlanOptions.of(None, budget, ignore)
    from inlay.commits import session

    # What would really be sent is cut by what earlier answers told about the model.
    room = session.room(repo, info)
    return PlanOptions.of(info, min(room, budget or room), ignore)


def _info(settings: Settings) -> ModelInfo | None:
    """What is known about the model; it need not be reachable."""
    from inlay.llm.models import model_names
    from inlay.llm.models.registry import look_up

    name = settings.text("model")
    if name is None:
        return None
    info, notes = look_up(model_names.parse(name), settings.table("models"))
    for note in notes:
        say(f"note: {note}", err=True)
    return info


def _print(plans: Iterable[CommitPlan], options: PlanOptions, verbose: bool) -> None:
    paint = Painter(sys.stdout)
    totals = PlanTotals(options)
    shown, waiting = time.monotonic(), list[str]()
    for each in plans:
        totals.add(each)
        waiting += _lines(each, options, paint, verbose)
        if time.monotonic() - shown > _PATIENCE:
            say("\n".join(waiting))
            shown, waiting = time.monotonic(), []
    if waiting:
        say("\n".join(waiting))
    say(paint(_sum(totals.finish(), options), bold=True))


def _lines(plan: CommitPlan, options: PlanOptions, paint: Painter, verbose: bool) -> Iterator[str]:
    chunks = len(plan.chunks)
    told = [f"{plan.tokens:,} tokens", _many(chunks, "chunk"), _many(plan.requests, "request")]
    cost = options.model.price(usage(plan)) if options.model else None
    told += [f"${cost:.4f}"] if cost is not None else []
    yield f"{paint(plan.commit[:_SHORT], 'yellow')} {', '.join(told)}"
    for number, each in enumerate(plan.chunks, 1):
        if chunks > 1 or verbose:
            yield paint(f"  {number}: {each.tokens:,} tokens: {_named(each, verbose)}", dim=True)
    for piece in plan.placeholders:
        assert piece.placeholder is not None
        kept = piece.placeholder
        size = f"{kept.bytes:,} bytes, {kept.tokens:,} tokens"
        yield f"  {paint('!', 'yellow')} {paint(piece.path)}: {_REASONS[kept.reason]}, {size}"
    for out in plan.left_out:
        yield f"  {paint('-', 'yellow')} {paint(f'{out.path}: left out by {out.pattern}, {out.tokens:,} tokens')}"


_REASONS = {"binary": "binary", "long-line": "a line too long for a chunk"}


def _named(chunk: Chunk, verbose: bool) -> str:
    paths = chunk.paths
    shown = paths if verbose else paths[:_MOST_NAMED]
    more = len(paths) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _sum(totals: PlanTotals, options: PlanOptions) -> str:
    told = [_many(totals.commits, "commit"), f"{totals.tokens:,} tokens of diff", _many(totals.requests, "request")]
    told += [f"{totals.placeholders:,} placeholders"] if totals.placeholders else []
    told += [f"{totals.left_out:,} left out"] if totals.left_out else []
    cost = totals.cost
    told += [f"about ${cost:.2f}"] if cost is not None else []
    return f"{', '.join(told)}; {options.capacity:,} tokens of diff fit a request"
