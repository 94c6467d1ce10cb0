"""How two sides become operations, and which of equal lines count as kept."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.engine.staging.align import late_operations, operations
from inlay.engine.staging.slide import settle
from inlay.engine.staging.update import update
from inlay.model.edit import Op
from tests.engine.staging.test_update import block

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "}", "  x", "..."]), max_size=10).map(tuple)


def old(ops: tuple[Op, ...]) -> tuple[str, ...]:
    return tuple(text for kind, text in ops if kind != "+")


def new(ops: tuple[Op, ...]) -> tuple[str, ...]:
    return tuple(text for kind, text in ops if kind != "-")


@given(LINES, LINES)
def test_property_every_alignment_says_the_same(find: tuple[str, ...], replace: tuple[str, ...]) -> None:
    for ops in (operations(find, replace), late_operations(find, replace), settle(operations(find, replace))):
        assert (old(ops), new(ops)) == (find, replace)


def test_the_heaviest_lines_are_kept() -> None:
    ops = operations(("}", "a long and telling line", "}"), ("a long and telling line", "}", "x"))
    assert (" ", "a long and telling line") in ops


def test_equal_choices_are_taken_early_or_late() -> None:
    find, replace = ("a", "}", "b"), ("a", "}", "new", "}", "b")
    assert operations(find, replace)[:3] == ((" ", "a"), (" ", "}"), ("+", "new"))
    assert late_operations(find, replace)[:3] == ((" ", "a"), ("+", "}"), ("+", "new"))


def test_huge_blocks_are_aligned_by_the_lines_they_have_once() -> None:
    find = tuple(f"line {n}" for n in range(2000))
    replace = tuple(f"line {n}" if n % 7 else f"new {n}" for n in range(1, 2000))
    start = time.process_time()
    ops = operations(find, replace)
    assert time.process_time() - start < 1
    assert (old(ops), new(ops)) == (find, replace)
    assert sum(kind == " " for kind, _ in ops) > 1600


def test_huge_blocks_of_equal_lines_are_replaced_whole() -> None:
    ops = operations(("x", *["a"] * 400), ("y", *["a"] * 300, "z"))
    assert (len(old(ops)), len(new(ops))) == (401, 302)


@pytest.mark.parametrize(
    ("ops", "first"),
    [
        # A function added after another begins at its own first line, not at the brace of the one before.
        ("   }| |+  test() {|+    go|+  }|+|   last", "+  test() {"),
        ("   }|+|+  test() {|+    go|+  }| |   last", "+  test() {"),
        # A decorator belongs to what follows it.
        ("   }| |   @Test|+  void a() {|+  }|+|+  @Test|   void b() {", "+  @Test"),
        # A removed stretch slides as well.
        ("   }| |   @Test|-  void a() {|-  }|-|-  @Test|   void b() {", "-  @Test"),
    ],
)
def test_a_stretch_settles_where_a_person_would_draw_it(ops: str, first: str) -> None:
    given_ops: tuple[Op, ...] = tuple((line[0], line[1:]) if line else (" ", "") for line in ops.split("|"))  # type: ignore[misc]
    settled = settle(given_ops)
    assert (old(settled), new(settled)) == (old(given_ops), new(given_ops))
    assert next(kind + text for kind, text in settled if kind != " ") == first


def test_trailing_blanks_stay_with_the_line_a_person_would_call_unchanged() -> None:
    text = "class T {\n  @Test\n  void a() {\n  }  \n\n  @Test  \n  void b() {\n"
    find = "  }\n\n  @Test\n  void b() {"
    replace = "  }\n\n  @Test\n  void x() {\n  }\n\n  @Test\n  void b() {"
    expected = text.replace("\n  @Test  \n", "\n  @Test\n  void x() {\n  }\n\n  @Test  \n")
    assert update(text, (block(find, replace),)).text == expected
