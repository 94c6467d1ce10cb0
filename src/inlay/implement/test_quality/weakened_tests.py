"""Whether a test file that was rewritten shows less than before: tests gone, assertions gone, skips added."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.implement.test_quality.empty_tests import Hollow, counts, parsed, why_hollow
from inlay.implement.test_quality.python_asserts import (
    TestFunction,
    asserting_helpers,
    assertions,
    find_tests,
    last_name,
    skips,
)


@dataclass(frozen=True, slots=True)
class _Strength:
    """What one test demands."""

    line: int
    hollow: str
    skipped: str
    demands: Counter[str]  #: every assertion, as code
    cases: int  #: rows it is run with

    @property
    def sum(self) -> tuple[str, ...]:
        return tuple(sorted(self.demands.elements()))


def weakened(path: str, before: str, after: str) -> tuple[Hollow, ...]:
    """Everything by which the file demands less than it did; none where it demands as much, or more."""
    if not path.endswith(".py"):
        return _by_counts(before, after)
    try:
        old = _strengths(parsed(before))
    except (SyntaxError, ValueError):
        return ()  # it demanded nothing
    try:
        new = _strengths(parsed(after))
    except (SyntaxError, ValueError) as error:
        return (Hollow("", 0, f"does not parse any more: {error}"),)
    renamed = {each.sum for name, each in new.items() if name not in old}
    found = []
    for name, each in old.items():
        if name in new:
            found += [Hollow(name, new[name].line, why) for why in _less(each, new[name])]
        elif not each.hollow and each.sum not in renamed:
            found.append(Hollow(name, 0, "is gone"))
    return tuple(found)


def _strengths(tree: ast.Module) -> dict[str, _Strength]:
    helpers = asserting_helpers(tree)
    return {test.name: _strength(test, tree, helpers) for test in find_tests(tree)}


def _strength(test: TestFunction, tree: ast.Module, helpers: frozenset[str]) -> _Strength:
    demands = Counter(_demand(node) for node in assertions(test.live, helpers))
    return _Strength(test.node.lineno, why_hollow(test, tree, helpers), skips(test, tree), demands, _cases(test))


def _demand(node: ast.AST) -> str:
    """The condition alone: another message demands nothing else."""
    return ast.unparse(node.test) if isinstance(node, ast.Assert) else ast.unparse(node)


def _cases(test: TestFunction) -> int:
    """How many rows a test is parametrised with, as far as they are written out."""
    rows = 1
    marks = [*test.node.decorator_list, *(mark for owner in test.owners for mark in owner.decorator_list)]
    for mark in marks:
        if isinstance(mark, ast.Call) and last_name(mark) == "parametrize" and len(mark.args) > 1:
            values = mark.args[1]
            rows *= len(values.elts) if isinstance(values, (ast.List, ast.Tuple)) else 1
    return rows


def _less(old: _Strength, new: _Strength) -> Iterator[str]:
    if new.skipped and not old.skipped:
        yield f"{new.skipped} now"
    elif new.hollow and not old.hollow:
        yield f"shows nothing any more: {new.hollow}"
    for gone in (old.demands - new.demands).elements() if not new.hollow else ():
        yield f"does not assert any more: {gone if len(gone) <= 120 else gone[:119] + '…'}"
    if new.cases < old.cases:
        yield f"is run with {new.cases} cases instead of {old.cases}"


def _by_counts(before: str, after: str) -> tuple[Hollow, ...]:
    """In other languages: fewer tests, fewer assertions, more skips, going by the usual words."""
    old, new = counts(before), counts(after)
    found = [
        Hollow("", 0, f"has {now} {what} instead of {was}")
        for was, now, what in ((old[0], new[0], "tests"), (old[1], new[1], "assertions"))
        if now < was
    ]
    skipped = [Hollow("", 0, f"skips {new[2]} tests instead of {old[2]}")] if new[2] > old[2] else []
    return (*found, *skipped)
