"""Tables summed up: aggregates by name, groups, totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grille.table import Table, TableError


def _mean(values: Sequence[Any]) -> Any:
    return sum(values) / len(values)


AGGREGATES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum,
    "mean": _mean,
    "min": min,
    "max": max,
    "count": len,
}


class UnknownAggregate(TableError):
    """An aggregate was named that there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no aggregate {name!r}; there are {', '.join(AGGREGATES)}")
        self.name = name


def summarise(table: Table, **columns: str) -> dict[str, Any]:
    """One value for each named column; missing values do not count."""
    return {name: _reduced(table.column(name), aggregate) for name, aggregate in columns.items()}


def group_by(table: Table, key: str, **columns: str) -> Table:
    """One row for each value of the column `key`, in order of first appearance."""
    place = table.position(key)
    groups: dict[Any, list[Sequence[Any]]] = {}
    for row in table.rows:
        groups.setdefault(row[place], []).append(row)
    kept = [table.columns[table.position(name)] for name in (key, *columns)]
    rows = [[value, *summarise(Table(table.columns, rows), **columns).values()] for value, rows in groups.items()]
    return Table(kept, rows)


def with_totals(table: Table, label: str = "total", **columns: str) -> Table:
    """The table with its aggregates as footer; the label stands in the first column that has none."""
    totals = summarise(table, **columns)
    free = next((name for name in table.names if name not in columns), None)
    return table.with_footer({**({free: label} if free else {}), **totals})


def _reduced(values: Sequence[Any], aggregate: str) -> Any:
    if aggregate not in AGGREGATES:
        raise UnknownAggregate(aggregate)
    given = [value for value in values if value is not None]
    if not given and aggregate != "count":
        return None
    return AGGREGATES[aggregate](given)
