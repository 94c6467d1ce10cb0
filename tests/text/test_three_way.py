"""The three-way merge: git's own results, bytes kept, conflicts with both sides, and bounded work."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.text.three_way import MergeConflict, merge

_LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "d\r", "e\n"]), max_size=12).map("".join)


def _by_git(folder: Path, base: str, ours: str, theirs: str) -> str | None:
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_bytes(text.encode())
    command = ["git", "merge-file", "-p", "-q", "ours", "base", "theirs"]
    done = subprocess.run(command, cwd=folder, capture_output=True)
    return done.stdout.decode() if done.returncode == 0 else None


def _changed(lines: list[str], words: list[str], rnd: random.Random) -> list[str]:
    lines = list(lines)
    for _ in range(rnd.randint(1, 4)):
        at = rnd.randrange(len(lines) + 1)
        new = [rnd.choice(words) for _ in range(rnd.randint(0, 3))]
        lines[at : at + rnd.randint(0, 3)] = new
    return lines


@pytest.mark.parametrize("seed", range(6))
def test_a_clean_result_is_that_of_git(seed: int, tmp_path: Path) -> None:
    rnd = random.Random(seed)
    clean = 0
    for _ in range(40):
        words = [f"line {n}\n" for n in range(rnd.choice([2, 4, 10, 40]))]
        base = [rnd.choice(words) for _ in range(rnd.choice([6, 15, 40]))]
        texts = ["".join(lines) for lines in (base, _changed(base, words, rnd), _changed(base, words, rnd))]
        merged, expected = merge(*texts), _by_git(tmp_path, *texts)
        if not merged.conflicts:
            assert merged.text == expected, texts
            clean += 1
    assert clean >= 10


def test_both_changes_are_kept() -> None:
    merged = merge("a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nb\nc\nd\nE\n")
    assert merged.text == "a\nB\nc\nd\nE\n"
    assert merged.conflicts == ()


def test_equal_changes_are_one() -> None:
    assert merge("a\nb\nc\nd\n", "a\nX\nc\nd\n", "a\nX\nc\nD\n").text == "a\nX\nc\nD\n"


def test_adjacent_changes_are_a_conflict_with_both_sides() -> None:
    merged = merge("a\nb\nc\n", "a\nB\nc\n", "a\nb\nC\n")
    assert merged.conflicts == (MergeConflict(2, ("B", "c"), 2, ("b", "C"), 2),)


def test_two_additions_at_one_place_are_a_conflict() -> None:
    assert merge("a\nz\n", "a\nb\nz\n", "a\nc\nz\n").conflicts == (MergeConflict(2, ("b",), 2, ("c",), 2),)


def test_a_result_that_depends_on_which_twin_is_meant_is_a_conflict() -> None:
    base = "l0\nl0\nl1\nl1\nl1\n"
    assert merge(base, "l0\nl0\nl1\nl1\nl0\nl0\nl1\nl1\n", "l1\nl0\nl0\nl0\nl1\nl1\nl1\nl1\nl1\n").conflicts


def test_a_conflict_may_be_resolved_for_theirs() -> None:
    merged = merge("a\nb\nc\nd\ne\n", "A\nours\nc\nd\ne\n", "a\ntheirs\nc\nd\nE\n")
    assert merged.text == "a\ntheirs\nc\nd\nE\n"


def test_line_endings_and_an_open_last_line_are_kept() -> None:
    assert merge("a\r\nb\nc\r\nd", "A\r\nb\nc\r\nd", "a\r\nb\nc\r\nD").text == "A\r\nb\nc\r\nD"


@given(_LINES, _LINES)
def test_a_side_without_changes_gives_way(base: str, other: str) -> None:
    assert merge(base, other, base).text == other
    assert merge(base, base, other).text == other
    assert merge(base, other, other).text == other


@given(_LINES, _LINES, _LINES)
def test_the_result_has_only_lines_of_the_sides(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    assert set(merged.text.split("\n")) <= set(ours.split("\n")) | set(theirs.split("\n"))


@pytest.mark.parametrize("kind", ["equal", "shuffled", "repeated"])
def test_a_large_file_takes_no_more_than_its_share(kind: str) -> None:
    rnd = random.Random(1)
    lines = [f"value {n % 7 if kind == 'repeated' else n}\n" for n in range(40_000)]
    ours, theirs = list(lines), list(lines)
    ours[20_000], theirs[30_000] = "ours\n", "theirs\n"
    if kind == "shuffled":
        rnd.shuffle(ours)
    started = time.process_time()
    merge("".join(lines), "".join(ours), "".join(theirs))
    assert time.process_time() - started < 4
