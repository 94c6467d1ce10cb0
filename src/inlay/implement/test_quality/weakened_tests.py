"""Whether a test file that was rewritten shows less than before: tests gone, assertions gone, skips added."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.implement.test_quality.empty_tests import WeakTest, counts, parse_tests, why_empty
from inlay.implement.test_quality.python_asserts import asserting_helpers, assertions, find_tests, last_name, skips


@dataclass(frozen=True, slots=True)
class _Strength:
    line: int
    empty: str  #: why it cannot fail
    skipped: str
    demands: Counter[str]  #: every assertion, as code
    cases: int  #: rows it is parametrised with, as far as they are written out

    @property
    def sum(self) -> tuple[str, ...]:
        return tuple(sorted(self.demands.elements()))


def weakened(path: str, before: str, after: str) -> tuple[WeakTest, ...]:
    """Everything by which the file demands less than it did; none where it demands as much, or more."""
    if not path.endswith(".py"):
        return _by_counts(before, after)
    try:
        old = _strengths(parse_tests(before))
    except (SyntaxError, ValueError):
        return ()  # it demanded nothing
    try:
        new = _strengths(parse_tests(after))
    except (SyntaxError, ValueError) as error:
        return (WeakTest("", 0, f"no longer parses: {error}"),)
    renamed = {strength.sum for name, strength in new.items() if name not in old}
    weak = []
    for name, strength in old.items():
        if name in new:
            weak += [WeakTest(name, new[name].line, reason) for reason in _less(strength, new[name])]
        elif not strength.empty and strength.sum not in renamed:
            weak.append(WeakTest(name, 0, "is gone"))
    return tuple(weak)


def _strengths(tree: ast.Module) -> dict[str, _Strength]:
    helpers = asserting_helpers(tree)
    strengths = {}
    for test in find_tests(tree):
        # The condition alone: another message demands nothing else.
        nodes = [node.test if isinstance(node, ast.Assert) else node for node in assertions(test.live, helpers)]
        reason, demands = why_empty(test, tree, helpers), Counter(map(ast.unparse, nodes))
        marks = [mark for mark in test.decorators if isinstance(mark, ast.Call) and last_name(mark) == "parametrize"]
        values = [mark.args[1] for mark in marks if len(mark.args) > 1]
        cases = math.prod(len(rows.elts) for rows in values if isinstance(rows, (ast.List, ast.Tuple)))
        strengths[test.name] = _Strength(test.node.lineno, reason, skips(test, tree), demands, cases)
    return strengths


def _less(old: _Strength, new: _Strength) -> Iterator[str]:
    if new.skipped and not old.skipped:
        yield f"{new.skipped} now"
    elif new.empty and not old.empty:
        yield f"shows nothing now: {new.empty}"
    for gone in (old.demands - new.demands).elements() if not new.empty else ():
        yield f"no longer asserts: {gone if len(gone) <= 120 else gone[:119] + '…'}"
    if new.cases < old.cases:
        yield f"is run with {new.cases} cases instead of {old.cases}"


def _by_counts(before: str, after: str) -> tuple[WeakTest, ...]:
    """In other languages: fewer tests, fewer assertions, more skips, going by the usual words."""
    old, new = counts(before), counts(after)
    pairs = zip(("tests", "assertions"), old, new, strict=False)
    reasons = [f"has {now} {what} instead of {was}" for what, was, now in pairs if now < was]
    if new[2] > old[2]:
        reasons.append(f"skips {new[2]} tests instead of {old[2]}")
    return tuple(WeakTest("", 0, reason) for reason in reasons)
