"""`inlay stats`: model usage and cost in this project, and how often a retry succeeded."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.model.statistics import Statistics, Totals

_AGO = re.compile(r"(\d{1,6})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class Since(click.ParamType[str]):
    """A date, a time, or how long ago: 2026-01-31, 2026-01-31T12:00, 12h, 7d, 2w."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if ago := _AGO.fullmatch(value):
            moment = datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            try:
                moment = datetime.fromisoformat(value)
            except ValueError:
                self.fail(f"{value!r} is not a date, a time or a period such as 12h, 7d, 2w", param, ctx)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@click.command("stats")
@options.ROOT
@click.option("--since", type=Since(), metavar="WHEN", help="Only jobs since a date, or in the last 12h, 7d, 2w.")
@options.JSON
def command(root: str, since: str | None, as_json: bool) -> None:
    """Show model usage and cost for this project: attempts, tokens, cost, and how often a retry succeeded.

    Only numbers and kinds of errors are stored, in .inlay; no file, prompt or reply is.

    \b
    Examples:
      inlay stats
      inlay stats --since 7d
      inlay stats --json | jq .retry_success
    """
    from inlay.model.statistics import summarise
    from inlay.storage.stores import metrics

    statistics = summarise(metrics.read(root), since or "")
    if as_json:
        say_json(_as_json(statistics))
    elif statistics.all.jobs:
        say("\n".join(_lines(statistics)))
    else:
        say("No model has been used here yet." if not since else "No model has been used here in that time.")


def _as_json(statistics: Statistics) -> dict[str, Any]:
    total = _totals_as_json(statistics.all)
    return {
        **{key: value for key, value in total.items() if key not in ("model", "format")},
        "retried": statistics.retried,
        "mended": statistics.mended,
        "retry_success": statistics.retry_success,
        "by_error": [
            asdict(mending) | {"by_attempt": dict(mending.by_attempt), "mended": mending.mended, "rate": mending.rate}
            for mending in statistics.mendings
        ],
        "by_job": dict(statistics.kinds),
        "by_model": [_totals_as_json(group) for group in statistics.groups],
    }


def _totals_as_json(totals: Totals) -> dict[str, Any]:
    return asdict(totals) | {"saved_tokens": totals.saved_tokens, "saved": totals.saved}


def _lines(statistics: Statistics) -> list[str]:
    paint = Painter()
    total = statistics.all
    unknown = f", and {total.unpriced:,} jobs of unknown price" if total.unpriced else ""
    saved = f"{total.saved_tokens:,} output tokens compared with whole files ({total.saved or 0:.0%})"
    lines = [
        f"jobs      {total.jobs:,}: {total.done:,} done, {total.jobs - total.done:,} failed",
        f"          {', '.join(f'{job} {jobs:,}' for job, jobs in statistics.kinds)}",
        f"attempts  {total.attempts:,}, {total.attempts / total.jobs:.2f} per job",
        f"retries   {_retries(statistics.mended, statistics.retried)}",
        *(f"          {mending.error}: {_retries(mending.mended, mending.jobs)}" for mending in statistics.mendings),
        f"tokens    {total.input_tokens:,} in, {total.output_tokens:,} out",
        f"cost      ${total.cost:.4f}{unknown}",
        f"saved     {saved if total.saved is not None else 'nothing to compare with yet'}",
    ]
    head, *groups = _groups(statistics)
    return [*map(paint, lines), "", paint(head, bold=True), *map(paint, groups)]


def _retries(fixed: int, jobs: int) -> str:
    if not jobs:
        return "none needed"
    return f"fixed {fixed:,} of {jobs:,} first attempts that failed ({fixed / jobs:.0%})"


def _groups(statistics: Statistics) -> list[str]:
    rows: list[tuple[str, ...]] = [("model", "format", "jobs", "done", "attempts", "in", "out", "cost", "saved")]
    for group in statistics.groups:
        numbers = (group.jobs, group.done, group.attempts, group.input_tokens, group.output_tokens)
        cost = "?" if group.unpriced == group.jobs else f"${group.cost:.4f}"
        saved = "-" if group.saved is None else f"{group.saved:.0%}"
        rows.append((group.model, group.format or "-", *(f"{number:,}" for number in numbers), cost, saved))
    # Names to the left, numbers to the right.
    cells = [
        [cell.ljust(width) if column < 2 else cell.rjust(width) for cell in cells]
        for column, cells in enumerate(zip(*rows, strict=True))
        for width in [max(map(len, cells))]
    ]
    return ["  ".join(row).rstrip() for row in zip(*cells, strict=True)]
