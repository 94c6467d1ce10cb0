"""The difference between two texts as a person reads it: changed lines with a little context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[" ", "-", "+", "@", "\\"]
_Run: TypeAlias = tuple[int, int, int, int]  # old lines from, to, new lines from, to: where the texts differ

_CONTEXT = 3
_MOST_CHANGED = 500  # lines; beyond that the changed region is shown as one block, which is no worse to read
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference and what happens to it."""

    kind: Kind
    text: str


def compare(before: str, after: str) -> Iterator[DiffLine]:
    """The lines of a unified diff, without file headers."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    bare = _common_ending(old + new)
    for group in _groups(_changed_runs(old, new)):
        yield from _hunk(group, old, new, bare)


def _common_ending(lines: list[str]) -> str:
    """CR-LF where all lines that end end so, which then is no news; else a line feed, and any CR is shown."""
    return "\r\n" if all(line.endswith("\r\n") for line in lines if line[-1] in "\r\n") else "\n"


def _groups(runs: list[_Run]) -> Iterator[list[_Run]]:
    """Runs whose contexts touch belong to one hunk."""
    group: list[_Run] = []
    for run in runs:
        if group and run[0] - group[-1][1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(run)
    if group:
        yield group


def _hunk(group: list[_Run], old: list[str], new: list[str], ending: str) -> Iterator[DiffLine]:
    before = min(_CONTEXT, group[0][0])
    after = min(_CONTEXT, len(old) - group[-1][1])
    old_from, old_to = group[0][0] - before, group[-1][1] + after
    new_from, new_to = group[0][2] - before, group[-1][3] + after
    yield DiffLine("@", f"@@ -{_span(old_from, old_to)} +{_span(new_from, new_to)} @@")
    at = old_from
    for run in group:
        yield from _lines(" ", old[at : run[0]], ending)
        yield from _lines("-", old[run[0] : run[1]], ending)
        yield from _lines("+", new[run[2] : run[3]], ending)
        at = run[1]
    yield from _lines(" ", old[at:old_to], ending)


def _span(start: int, end: int) -> str:
    count = end - start
    return f"{start + 1 if count else start},{count}" if count != 1 else f"{start + 1}"


def _lines(kind: Kind, lines: list[str], ending: str) -> Iterator[DiffLine]:
    for line in lines:
        yield DiffLine(kind, line.removesuffix(ending) if line.endswith(ending) else line.removesuffix("\n"))
        if not line.endswith(("\n", "\r")):
            yield DiffLine("\\", "\\ No newline at end of file")


def _changed_runs(old: list[str], new: list[str]) -> list[_Run]:
    """Where the two differ, in order, found between what they share at both ends."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    return [(r[0] + start, r[1] + start, r[2] + start, r[3] + start) for r in _runs_between(a, b)]


def _runs_between(a: list[str], b: list[str]) -> list[_Run]:
    if not a and not b:
        return []
    trace = _shortest_script(a, b) if a and b else None
    return [(0, len(a), 0, len(b))] if trace is None else _backtrack(trace, len(a), len(b))


def _shortest_script(a: list[str], b: list[str]) -> list[dict[int, int]] | None:
    """Myers' greedy search, quick where little differs; None when too much does.

    Each step keeps, per diagonal, the furthest line of `a` that is reached with that many changed lines.
    """
    furthest, trace = {1: 0}, []
    for changed in range(min(len(a) + len(b), _MOST_CHANGED) + 1):
        trace.append(dict(furthest))
        for k in range(-changed, changed + 1, 2):
            down = k == -changed or (k != changed and furthest.get(k - 1, -1) < furthest.get(k + 1, -1))
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            while x < len(a) and 0 <= x - k < len(b) and a[x] == b[x - k]:
                x += 1
            furthest[k] = x
            if x >= len(a) and x - k >= len(b):
                return trace
    return None


def _backtrack(trace: list[dict[int, int]], x: int, y: int) -> list[_Run]:
    """The changed runs along the path that the search found, first to last."""
    runs: list[_Run] = []
    for changed in range(len(trace) - 1, 0, -1):
        furthest, k = trace[changed], x - y
        down = k == -changed or (k != changed and furthest.get(k - 1, -1) < furthest.get(k + 1, -1))
        from_x = furthest[k + 1] if down else furthest[k - 1]
        from_y = from_x - (k + 1 if down else k - 1)
        to_x, to_y = (from_x, from_y + 1) if down else (from_x + 1, from_y)
        if runs and runs[-1][0] == to_x and runs[-1][2] == to_y:
            runs[-1] = (from_x, runs[-1][1], from_y, runs[-1][3])
        else:
            runs.append((from_x, to_x, from_y, to_y))
        x, y = from_x, from_y
    return runs[::-1]
