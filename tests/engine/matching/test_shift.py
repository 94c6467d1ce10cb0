"""How one indentation explains another."""

from __future__ import annotations

import pytest

from inlay.engine.matching.shift import consistent, shift_of


@pytest.mark.parametrize(
    ("pairs", "new", "expected"),
    [
        ([("a", "a"), ("  b", "  b")], "    c", "    c"),
        ([("a", "    a"), ("  b", "      b")], "c", "    c"),
        ([("    a", "a"), ("      b", "  b")], "    c", "c"),
        ([("    a", "a")], "c", None),
        ([("a", "a"), ("    b", "\tb"), ("        c", "\t\tc")], "        d", "\t\td"),
        ([("a", "a"), ("\tb", "  b"), ("\t\tc", "    c")], "\t\td", "    d"),
        ([("\ta", "        a"), ("\t\tb", "            b")], "\tc", "        c"),
        ([("a", "a"), ("  b", "    b")], "    c", "        c"),
        ([("a", "\ta"), ("b", "  b")], None, None),
        ([("", "    ")], "  c", "  c"),
    ],
)
def test_new_lines_follow_the_shift(pairs: list[tuple[str, str]], new: str | None, expected: str | None) -> None:
    shift = shift_of(pairs)
    assert (shift is None) == (new is None)
    if shift is not None and new is not None:
        assert shift.apply(new) == expected


def test_half_a_level_is_rather_a_change_of_unit() -> None:
    half = shift_of([("  a", "    a")], 4)
    assert half is not None
    assert (half.apply("    b"), str(half)) == ("        b", "indentation unit")
    whole = shift_of([("  a", "    a")], 2)
    assert whole is not None
    assert (whole.apply("    b"), str(whole)) == ("      b", "indentation more by 2 spaces")


def test_a_shift_says_what_it_does() -> None:
    assert str(shift_of([("\ta", "a")])) == "indentation less by 1 tab"


def test_only_the_first_line_may_have_lost_its_blanks() -> None:
    assert consistent([("a", "    a"), ("        b", "        b")])
    assert not consistent([("        a", "    a"), ("b", "    b")])
