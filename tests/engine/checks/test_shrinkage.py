"""A change that drops most of a file is noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inlay.engine.checks import run
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.model.finding import Finding

Look = Callable[..., tuple[Finding, ...]]


def _lines(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(count))


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [(270, 56, "error"), (270, 200, None), (101, 50, "error"), (60, 20, "warning"), (20, 2, None), (10, 0, "error")],
)
def test_a_replaced_file(look: Look, before: int, after: int, severity: str | None) -> None:
    found = look("a.xyz", _lines(before), _lines(after), is_located=False)
    assert [(finding.severity, finding.line) for finding in found] == ([(severity, 0)] if severity else [])


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [(1000, 800, "warning"), (1000, 950, None), (60, 20, "warning"), (60, 40, None), (10, 1, None)],
)
def test_a_located_edit(look: Look, before: int, after: int, severity: str | None) -> None:
    assert [finding.severity for finding in look("a.xyz", _lines(before), _lines(after))] == [severity] * bool(severity)


def test_the_message_gives_both_sizes(look: Look) -> None:
    (finding,) = look("a.xyz", _lines(270), _lines(56), is_located=False)
    assert finding.message == "replaces 270 lines with 56"


def test_new_files_do_not_shrink(look: Look) -> None:
    assert look("a.xyz", None, "") == ()


def _woven(path: str, before: str, after: str) -> list[str]:
    change = Change(RepoPath(path), File.of(path, before), after, woven=True)
    return [finding.message for finding in run(ChangeSet((change,)), only_decidable=True)]


FUNCTIONS = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y * {n}\n\n\n" for n in range(6))
CLASS = (
    "class Cart:\n    @property\n    def total(self):\n        return self._total\n\n    @total.setter\n"
    "    def total(self, value):\n        self._total = value\n\n"
    "    def clear(self):\n        self._total = 0\n\n\nx = 1\n"
)


@pytest.mark.parametrize(
    ("path", "before", "after", "told"),
    [
        ("a.py", FUNCTIONS, FUNCTIONS.replace("x + 3", "x + 33"), ""),
        ("a.py", FUNCTIONS, FUNCTIONS[: FUNCTIONS.index("def f5")], "drops a definition: f5"),
        ("a.swift", FUNCTIONS.replace("def", "func"), FUNCTIONS.replace("def", "func").partition("func f5")[0], "f5"),
        ("a.py", FUNCTIONS, FUNCTIONS.replace("def f3", "def three"), ""),
        ("a.py", FUNCTIONS, "class A:\n" + FUNCTIONS.replace("\n", "\n    "), ""),
        ("a.py", FUNCTIONS, "\n\n\n".join(sorted(FUNCTIONS.strip().split("\n\n\n"), reverse=True)), ""),
        (
            "a.py",
            CLASS,
            CLASS.replace(CLASS[CLASS.index("    @total.setter") : CLASS.index("    def clear")], ""),
            "Cart.total",
        ),
        ("a.py", CLASS, "x = 1\n" + "y = 2\n" * 9, "drops a definition: Cart"),
        ("a.md", _lines(40), _lines(33), "drops the last 7 lines"),
        ("a.md", _lines(40), _lines(37), ""),
        ("a.md", _lines(40), _lines(31), "replaces 40 lines with 31"),
        ("a.md", _lines(40), "".join(_lines(40).splitlines(True)[6:]), "drops the first 6 lines"),
        ("a.md", _lines(7), "x\n", ""),
        ("a.md", _lines(7), "\n", "empties the file of its 7 lines"),
        ("a.md", _lines(40), _lines(40).upper(), ""),
    ],
)
def test_a_whole_file_is_judged_by_what_it_lacks(path: str, before: str, after: str, told: str) -> None:
    messages = _woven(path, before, after)
    assert len(messages) == bool(told), messages
    assert all(told in message for message in messages)
