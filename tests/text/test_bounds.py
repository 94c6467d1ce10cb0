"""However large the texts, the difference is right, quick and small."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.text import window as windows_of
from inlay.text.diff import compare, difference, differing, lost_lines
from inlay.text.edit_script import runs
from inlay.text.excerpt import excerpt
from inlay.text.lines import count_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d", "e", "f", "g", "h"]), max_size=60)


def replayed(before: list[str], after: list[str]) -> None:
    """Both texts can be had from the difference: nothing is told that is not so, nothing is left out."""
    kept = list(before)
    offset = 0
    for old_from, old_to, new_from, new_to in runs(before, after):
        kept[old_from + offset : old_to + offset] = after[new_from:new_to]
        offset += (new_to - new_from) - (old_to - old_from)
    assert kept == after


@given(LINES, LINES)
def test_property_runs_lead_from_one_to_the_other(before: list[str], after: list[str]) -> None:
    replayed(before, after)


def test_runs_lead_there_where_the_search_must_be_divided() -> None:
    before = [f"line {n}" for n in range(3000)]
    after = [line if n % 7 else f"new {n}" for n, line in enumerate(before) if n % 11]
    replayed(before, after)
    replayed(before, before[1500:] + before[:1500])
    replayed(["x"] * 1000, [f"{n}" for n in range(1000)])
    assert len(runs(before, after)) > 300  # divided, not given up on


@given(LINES, LINES, LINES, LINES)
def test_property_large_windows_tell_the_same_counts(a: list[str], b: list[str], c: list[str], d: list[str]) -> None:
    """With the bounds lowered, so that small texts take the way of large ones."""
    same = [f"same {n}" for n in range(12)]
    before, after = ("".join(f"{line}\n" for line in [*x, *same, *y]) for x, y in ((a, c), (b, d)))
    kept = windows_of._MOST_CHARACTERS, windows_of._STRIDE
    windows_of._MOST_CHARACTERS, windows_of._STRIDE = 8, 64
    try:
        found = difference(before, after)
        told = list(found.lines())
    finally:
        windows_of._MOST_CHARACTERS, windows_of._STRIDE = kept
    assert sum(line.kind == "-" for line in told) == found.removed
    assert sum(line.kind == "+" for line in told) == found.added
    assert count_lines(before) - found.removed == count_lines(after) - found.added
    assert (not told) == (before == after)


def text(count: int, word: str) -> str:
    return "".join(f"{word} {n} of a long file\n" for n in range(count))


def edited(count: int) -> str:
    return text(count, "line").replace(f"line {count // 2} ", "new ")


LARGE = {
    "all differs": lambda: (text(1_000_000, "line"), text(700_000, "other")),
    "one line": lambda: (text(1_000_000, "line"), edited(1_000_000)),
    "far apart": lambda: (text(500_000, "line"), "first\n" + edited(500_000) + "last\n"),
    "reversed": lambda: (text(9_000, "line"), "".join(reversed(text(9_000, "line").splitlines(True)))),
    "emptied": lambda: (text(9_000, "line"), ""),
    "one long line": lambda: ("x" * 20_000_000, "y" * 20_000_000),
    "blank lines": lambda: ("\n" * 5_000_000, "a\n" * 100),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGE)
def test_what_is_shown_of_a_large_difference_is_small(case: str) -> None:
    before, after = LARGE[case]()
    tracemalloc.start()
    shown = excerpt(difference(before, after))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000
    assert sum(len(line.plain.encode()) + 1 for line in shown.lines) <= 10 * 1024 + 100


def test_changes_far_apart_in_a_large_file_are_shown_as_such() -> None:
    before, after = LARGE["far apart"]()
    found = difference(before, after)
    assert (found.removed, found.added) == (1, 3)


@pytest.mark.slow
def test_what_is_shown_of_a_large_difference_is_quick() -> None:
    """CPU time of the quickest of several runs, in a process of its own: nothing that watches this one shows in it."""
    command = [sys.executable, __file__, *LARGE]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    times = dict(zip(LARGE, map(float, told.split()), strict=True))
    assert {case: took for case, took in times.items() if took >= 0.100} == {}


def test_an_excerpt_shows_both_sides_and_says_what_was_cut() -> None:
    shown = excerpt(difference(text(1000, "old"), text(1000, "new")))
    removed, added = (sum(line.kind == kind for line in shown.lines) for kind in "-+")
    assert removed > 100
    assert added > 100
    assert shown.note == f"… cut: {1000 - removed} deleted lines and {1000 - added} added lines not shown"
    assert excerpt(difference("a\n", "b\n")).note == ""


def test_a_long_line_is_cut_within() -> None:
    (_, removed, added) = excerpt(difference("x" * 5000 + "\n", "y\n")).lines
    assert removed.text.endswith("… (4000 more characters)")
    assert added.text == "y"


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("return total + 1", "return total + 2", (["1"], ["2"])),
        ("def f(a):", "def f(a, b):", ([], [", b"])),
        ("nothing alike", "42", ([], [])),
        ("same", "same", ([], [])),
        ("x" * 500 + " a", "x" * 500 + " b", ([], [])),
    ],
)
def test_the_words_that_differ(old: str, new: str, marked: tuple[list[str], list[str]]) -> None:
    spans = differing(old, new)
    assert ([old[a:b] for a, b in spans[0]], [new[a:b] for a, b in spans[1]]) == marked


def test_words_are_marked_in_lines_that_stand_for_each_other() -> None:
    told = [line for line in compare("x = 1\ny = 2\n", "x = 1\ny = 3\n") if line.kind in "-+"]
    assert [line.text[line.emphasis[0][0] : line.emphasis[0][1]] for line in told] == ["2", "3"]


def test_lost_lines_are_those_without_a_like() -> None:
    assert lost_lines("a\nb\nc\n", "c\n  b\na\n") == 0
    assert lost_lines("a\na\n", "a\n") == 1
    assert lost_lines("a\nb\n", "") == 2
    assert lost_lines(text(30_000, "line"), text(29_000, "line")) == 1000
    assert lost_lines(text(30_000, "line"), "x\n" + text(30_000, "line") + "y\n") == 0


@pytest.mark.parametrize(("given_text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\r\nb\rc", 3), ("\n\n", 2)])
def test_lines_are_counted_whatever_ends_them(given_text: str, count: int) -> None:
    assert count_lines(given_text) == count


def quickest(case: str) -> float:
    before, after = LARGE[case]()
    times = []
    for _ in range(5):
        started = time.process_time()
        excerpt(difference(before, after))
        times.append(time.process_time() - started)
    return min(times)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{quickest(case)}\n" for case in sys.argv[1:]))
