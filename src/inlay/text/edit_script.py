"""The shortest way from one sequence to another, within a bound on the work it may take."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Run: TypeAlias = tuple[int, int, int, int]  # old from, to, new from, to: where the two differ

_MOST_CHANGED = 200  # of one search; where more differs, lines that both sides have once divide the search
_MOST_STEPS = 60_000  # of all searches together, a few hundredths of a second


class _Budget:
    def __init__(self) -> None:
        self.steps = _MOST_STEPS


def runs(a: Sequence[str], b: Sequence[str]) -> list[Run]:
    """Where two sequences differ, in order; where too much differs, the whole stretch is one run."""
    return list(_runs(a, b, 0, 0, _Budget()))


def _runs(a: Sequence[str], b: Sequence[str], old: int, new: int, budget: _Budget) -> Iterator[Run]:
    start, most = 0, min(len(a), len(b))
    while start < most and a[start] == b[start]:
        start += 1
    end = 0
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b, old, new = a[start : len(a) - end], b[start : len(b) - end], old + start, new + start
    if not a or not b:
        yield from [(old, old + len(a), new, new + len(b))] if a or b else []
        return
    trace = _shortest(a, b, budget)
    if trace is not None:
        for run in _backtrack(trace, len(a), len(b)):
            yield run[0] + old, run[1] + old, run[2] + new, run[3] + new
        return
    yield from _divided(a, b, old, new, budget)


def _divided(a: Sequence[str], b: Sequence[str], old: int, new: int, budget: _Budget) -> Iterator[Run]:
    anchors: list[tuple[int, int]] = []
    if budget.steps > 0:
        # Elements that both sides have exactly once, as many as stand in the same order.
        once_a, once_b = Counter(a), Counter(b)
        where = {value: j for j, value in enumerate(b) if once_b[value] == 1}
        pairs = [(i, where[value]) for i, value in enumerate(a) if once_a[value] == 1 and value in where]
        anchors = longest_rising(pairs)
    if not anchors:
        yield old, old + len(a), new, new + len(b)
        return
    at, other = 0, 0
    for i, j in [*anchors, (len(a), len(b))]:
        yield from _runs(a[at:i], b[other:j], old + at, new + other, budget)
        at, other = i + 1, j + 1


def longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose second numbers rise."""
    tops: list[int] = []
    ends: list[int] = []
    before = array("i", [-1] * len(pairs))
    for index, (_, j) in enumerate(pairs):
        place = bisect_left(tops, j)
        before[index] = ends[place - 1] if place else -1
        tops[place : place + 1], ends[place : place + 1] = [j], [index]
    rising, at = [], ends[-1] if ends else -1
    while at >= 0:
        rising.append(pairs[at])
        at = before[at]
    return rising[::-1]


def _shortest(a: Sequence[str], b: Sequence[str], budget: _Budget) -> list[array[int]] | None:
    """Myers' greedy search, quick where little differs; None when too much does.

    Each step keeps, per diagonal, the furthest element of `a` that is reached with that many changes.
    """
    most = min(len(a) + len(b), _MOST_CHANGED)
    furthest, trace = array("i", [-1]) * (2 * most + 3), []
    furthest[most + 2] = 0
    for changed in range(most + 1):
        trace.append(furthest[most + 1 - changed - 1 : most + 1 + changed + 2])
        budget.steps -= changed + 1
        if budget.steps < 0:
            return None
        for k in range(-changed, changed + 1, 2):
            at = most + 1 + k
            x = furthest[at + 1] if _goes_down(furthest, at, k, changed) else furthest[at - 1] + 1
            while x < len(a) and 0 <= x - k < len(b) and a[x] == b[x - k]:
                x += 1
            furthest[at] = x
            if x >= len(a) and x - k >= len(b):
                return trace
    return None


def _goes_down(furthest: array[int], at: int, k: int, changed: int) -> bool:
    return k == -changed or (k != changed and furthest[at - 1] < furthest[at + 1])


def _backtrack(trace: list[array[int]], x: int, y: int) -> list[Run]:
    """The changed runs along the path that the search found, first to last."""
    found: list[Run] = []
    for changed in range(len(trace) - 1, 0, -1):
        furthest, k = trace[changed], x - y
        at = changed + 1 + k
        down = _goes_down(furthest, at, k, changed)
        from_x = furthest[at + 1] if down else furthest[at - 1]
        from_y = from_x - (k + 1 if down else k - 1)
        to_x, to_y = (from_x, from_y + 1) if down else (from_x + 1, from_y)
        if found and found[-1][0] == to_x and found[-1][2] == to_y:
            found[-1] = (from_x, found[-1][1], from_y, found[-1][3])
        else:
            found.append((from_x, to_x, from_y, to_y))
        x, y = from_x, from_y
    return found[::-1]
