"""Turns FIND and REPLACE into operations: what they share is context, the rest is removed and added."""

from __future__ import annotations

from collections import Counter

from inlay.engine.checks.rules.placeholders import is_placeholder
from inlay.model.edit import Op
from inlay.text.edit_script import longest_rising
from inlay.text.lines import BLANKS, common_prefix

_MOST_CELLS = 60_000  # of the table; above that only lines unique on both sides are paired
_MARK_WEIGHT = 1e9
_BLANK_WEIGHT = 0.01


def operations(find: tuple[str, ...], replace: tuple[str, ...]) -> tuple[Op, ...]:
    """The heaviest common lines as context, the earliest of equally heavy choices."""
    head = common_prefix(find, replace)
    tail = common_prefix(find[head:][::-1], replace[head:][::-1])
    old, new = find[head : len(find) - tail], replace[head : len(replace) - tail]
    ops: list[Op] = [(" ", text) for text in find[:head]]
    a = b = 0
    for x, y in [*_pairs(old, new), (len(old), len(new))]:
        ops += [("-", text) for text in old[a:x]]
        ops += [("+", text) for text in new[b:y]]
        ops += [(" ", text) for text in old[x : x + 1]]
        a, b = x + 1, y + 1
    ops += [(" ", text) for text in find[len(find) - tail :]]
    return tuple(ops)


def late_operations(find: tuple[str, ...], replace: tuple[str, ...]) -> tuple[Op, ...]:
    """The same with the latest of equally heavy choices; where the two differ in effect, the edit is unclear."""
    backwards = operations(find[::-1], replace[::-1])
    out: list[Op] = []
    run: list[Op] = []
    for op in reversed(backwards):
        if op[0] == " ":
            out += [*sorted(run, key=lambda o: o[0] == "+"), op]
            run = []
        else:
            run.append(op)
    return tuple(out + sorted(run, key=lambda o: o[0] == "+"))


def _weight(line: str) -> float:
    core = line.strip(BLANKS)
    if not core:
        return _BLANK_WEIGHT
    return _MARK_WEIGHT if is_placeholder(line) else 1.0 + len(core)


def _pairs(a: tuple[str, ...], b: tuple[str, ...]) -> list[tuple[int, int]]:
    if not a or not b or not set(a) & set(b):
        return []
    if len(a) * len(b) > _MOST_CELLS:
        # Lines that occur once on each side, the longest run of them in order: linear enough for huge blocks.
        once_a, once_b = _once(a), _once(b)
        return longest_rising(sorted((once_a[line], once_b[line]) for line in once_a if line in once_b))
    weights = [_weight(line) for line in a]
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        row, below, line, weight = best[i], best[i + 1], a[i], weights[i]
        for j in range(len(b) - 1, -1, -1):
            skip = below[j] if below[j] > row[j + 1] else row[j + 1]
            keep = below[j + 1] + weight if line == b[j] else 0.0
            row[j] = keep if keep > skip else skip
    return _walk(a, b, best)


def _walk(a: tuple[str, ...], b: tuple[str, ...], best: list[list[float]]) -> list[tuple[int, int]]:
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j] and best[i][j] == best[i + 1][j + 1] + _weight(a[i]):
            out.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return out


def _once(lines: tuple[str, ...]) -> dict[str, int]:
    counts = Counter(lines)
    return {line: n for n, line in enumerate(lines) if counts[line] == 1 and line.strip(BLANKS)}
