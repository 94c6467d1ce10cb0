"""`inlay stats`: what asking models took here, and how often asking again helped."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.model.statistics import Mending, Statistics, Totals, summarise
from inlay.storage.stores import metrics

_AGO = re.compile(r"(\d{1,6})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class Since(click.ParamType[str]):
    """A date, a time, or how long ago: 2026-01-31, 2026-01-31T12:00, 12h, 7d, 2w."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The moment as metrics carry it."""
        if ago := _AGO.fullmatch(value):
            return _stamp(datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])}))
        try:
            given = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no date, time or span like 12h, 7d, 2w", param, ctx)
        return _stamp(given if given.tzinfo else given.replace(tzinfo=UTC))


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@click.command("stats")
@ROOT
@click.option("--since", type=Since(), metavar="WHEN", help="Only jobs from a date on, or the last 12h, 7d.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, since: str | None, as_json: bool) -> None:
    """Show what asking models took in this project: attempts, tokens, cost, and how often asking again helped.

    Only numbers and kinds of errors are kept, in .inlay; no file, prompt or reply is.

    \b
    Examples:
      inlay stats
      inlay stats --since 7d
      inlay stats --json | jq .retry_success
    """
    reporting.audience = "program" if as_json else "person"
    found = summarise(metrics.read(root), since or "")
    if as_json:
        click.echo(json.dumps(_as_json(found)))
    elif found.all.jobs:
        say("\n".join(_lines(found)))
    else:
        say("No model was asked here yet." if not since else "No model was asked here in that time.")


def _as_json(found: Statistics) -> dict[str, Any]:
    total = _totals_as_json(found.all)
    return {
        **{key: value for key, value in total.items() if key not in ("model", "format")},
        "retried": found.retried,
        "mended": found.mended,
        "retry_success": found.retry_success,
        "by_error": [_mending_as_json(mending) for mending in found.mendings],
        "by_job": dict(found.kinds),
        "by_model": [_totals_as_json(group) for group in found.groups],
    }


def _totals_as_json(totals: Totals) -> dict[str, Any]:
    return asdict(totals) | {"saved_tokens": totals.saved_tokens, "saved": totals.saved}


def _mending_as_json(mending: Mending) -> dict[str, Any]:
    by_attempt = {str(attempt): jobs for attempt, jobs in mending.by_attempt}
    return asdict(mending) | {"by_attempt": by_attempt, "mended": mending.mended, "rate": mending.rate}


def _lines(found: Statistics) -> list[str]:
    paint = Painter(sys.stdout)
    total = found.all
    lines = [
        f"jobs      {total.jobs:,}: {total.done:,} done, {total.jobs - total.done:,} failed",
        f"          {', '.join(f'{job} {jobs:,}' for job, jobs in found.kinds)}",
        f"attempts  {total.attempts:,}, {total.attempts / total.jobs:.2f} a job",
        f"retries   {_mended(found.mended, found.retried)}",
        *(f"          {mending.error}: {_mended(mending.mended, mending.jobs)}" for mending in found.mendings),
        f"tokens    {total.input_tokens:,} in, {total.output_tokens:,} out",
        f"cost      {_cost(total)}",
        f"saved     {_saved(total)}",
    ]
    return [paint(line) for line in lines] + ["", *_groups(found, paint)]


def _mended(mended: int, jobs: int) -> str:
    if not jobs:
        return "none needed"
    return f"mended {mended:,} of {jobs:,} first attempts that failed ({mended / jobs:.0%})"


def _cost(total: Totals) -> str:
    unknown = f", and {total.unpriced:,} jobs of unknown price" if total.unpriced else ""
    return f"${total.cost:.4f}{unknown}"


def _saved(total: Totals) -> str:
    if total.saved is None:
        return "nothing to compare with yet"
    return f"{total.saved_tokens:,} output tokens against whole files ({total.saved:.0%})"


_COLUMNS = ("model", "format", "jobs", "done", "attempts", "in", "out", "cost", "saved")


def _groups(found: Statistics, paint: Painter) -> list[str]:
    rows = [_COLUMNS, *(_row(group) for group in found.groups)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = ["  ".join(_cell(row[c], widths[c], c) for c in range(len(_COLUMNS))).rstrip() for row in rows]
    return [paint(lines[0], bold=True), *(paint(line) for line in lines[1:])]


def _row(group: Totals) -> tuple[str, ...]:
    numbers = (group.jobs, group.done, group.attempts, group.input_tokens, group.output_tokens)
    cost = "?" if group.unpriced == group.jobs else f"${group.cost:.4f}"
    saved = "-" if group.saved is None else f"{group.saved:.0%}"
    return (group.model, group.format or "-", *(f"{number:,}" for number in numbers), cost, saved)


def _cell(text: str, width: int, column: int) -> str:
    return f"{text:<{width}}" if column < 2 else f"{text:>{width}}"
