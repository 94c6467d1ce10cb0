"""The report: tables of ok, harm and miss for people, the same as JSON for programs."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from bench.results import Count, Result, grouped


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, first column to the left, the others to the right."""
    body = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        return "| " + " | ".join([cells[0].ljust(widths[0]), *others]) + " |" if first else ""

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(list(head)), rule, *map(line, body)])


def overall(results: Sequence[Result]) -> str:
    """One row for each applier and format."""
    head = (
        "format applier",
        "n",
        "ok %",
        "HARM",
        "miss",
        "exact of must-apply %",
        "refused of must-refuse %",
        "ms median",
        "ms p99",
    )
    rows = []
    for (format, applier), group in sorted(grouped(results, lambda r: (r.format, r.applier)).items()):
        count = Count.of(group)
        must = Count.of(r for r in group if r.outcome == "apply")
        never = Count.of(r for r in group if r.outcome == "refuse")
        times = sorted(r.ms for r in group)
        late = times[min(len(times) - 1, int(len(times) * 0.99))]
        shares = (f"{100 * must.share(must.exact):.2f}", f"{100 * never.share(never.ok):.2f}")
        speed = (f"{statistics.median(times):.2f}", f"{late:.2f}")
        rows.append(
            (
                f"{format} {applier}",
                count.total,
                f"{100 * count.share(count.ok):.1f}",
                count.harm,
                count.miss,
                *shares,
                *speed,
            )
        )
    return table(head, rows)


def by_slip(results: Sequence[Result], format: str) -> str:
    """ok/harm/miss for each slip of one format, appliers side by side."""
    rows = [r for r in results if r.format == format]
    names = list(dict.fromkeys(r.applier for r in rows))
    cells = grouped(rows, lambda r: (r.slip, r.applier))
    body = []
    for slip in dict.fromkeys(r.slip for r in rows):
        here = [r for r in rows if r.slip == slip]
        outcomes = "/".join(sorted({r.outcome for r in here}))
        counts = [Count.of(cells.get((slip, name), ())) for name in names]
        shown = [f"{c.ok}/{c.harm}/{c.miss}" if c.total else "-" for c in counts]
        body.append((slip, outcomes, max(c.total for c in counts), *shown))
    return table(("slip", "outcome", "n", *names), body)


def failures(results: Sequence[Result], limit: int = 30) -> str:
    """The harms and misses of one applier: how many of each kind, then which."""
    bad = sorted((r for r in results if r.verdict != "ok"), key=lambda r: (r.verdict, r.format, r.slip))
    if not bad:
        return "No harm, no miss."
    kinds = Counter((r.verdict, r.deed) for r in bad)
    lines = [", ".join(f"{n} {verdict} ({done})" for (verdict, done), n in kinds.most_common())]
    lines += [f"{r.verdict} {r.deed} {r.id} {r.note} [{r.rule}] {r.error[:90]}" for r in bad[:limit]]
    return "\n".join(lines)
