"""A change that drops most of a file is noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
