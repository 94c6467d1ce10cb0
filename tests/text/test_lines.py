"""A text seen as lines: counting, offsets and the file's own endings."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.engine.matching.probe import exact_offsets, line_numbers, whole_lines
from inlay.text.lines import Source, common_prefix, fold

TEXT = st.text(alphabet="ab \t\r\n\x0c\u2028", max_size=80)


@given(TEXT)
def test_property_own_lines_put_together_are_the_text(text: str) -> None:
    source = Source(text)
    assert "".join(line + end for line, end in source.own_lines(0, source.count)) == text
    assert [line for line, _ in source.own_lines(0, source.count)] == source.lines


@given(TEXT)
def test_property_offsets_and_line_numbers_agree(text: str) -> None:
    source = Source(text)
    starts = [0, *(m.end() for m in re.finditer("\n", source.norm))]
    for line, start in list(enumerate(starts))[: source.count]:
        assert source.offset(line) == start
        assert Source(text).line_at(start) == line


@given(TEXT, st.integers(0, 5), st.integers(1, 5))
def test_property_a_run_is_a_slice_of_the_lines(text: str, first: int, count: int) -> None:
    first = min(first, Source(text).count)
    assert Source(text).run(first, count) == Source(text).lines[first : first + count]


@given(TEXT, st.lists(st.integers(0, 40), max_size=8))
def test_property_offsets_asked_in_any_order_are_those_of_a_fresh_text(text: str, asked: list[int]) -> None:
    source = Source(text)
    for line in (min(number, source.count) for number in asked):
        assert source.offset(line) == Source(text).offset(line)
        assert source.line_at(source.offset(line)) == line or line == source.count


def test_lines_counted_from_far_away_again_and_again_are_listed_once() -> None:
    source = Source("line\n" * 100_000)
    for line in range(99_999, 0, -1111):  # upwards, so that no known line helps
        assert source.line_at(5 * line) == line
    assert source.offset(77_777) == 5 * 77_777


def test_far_lines_of_a_long_text_are_found() -> None:
    source = Source("line\r\n" * 5000)
    assert (source.own_offset(4000), source.own_lines(4999, 5000)) == (24000, [("line", "\r\n")])
    mixed = Source("a\r\nb\n" * 3000)
    assert mixed.own_lines(6000, 6001) == source.own_lines(5000, 5001) == Source("a\n" * 900).own_lines(900, 901) == []
    assert mixed.own_lines(5998, 6000) == [("a", "\r\n"), ("b", "\n")]


@pytest.mark.parametrize(("text", "unit"), [("a\n    b\n        c\n", 4), ("a\n  b\n", 2), ("\ta\n", 0), ("   a\n", 0)])
def test_the_indentation_unit_is_read_off_the_file(text: str, unit: int) -> None:
    assert Source(text).indent_unit == unit


@pytest.mark.parametrize(
    ("odd", "plain"),
    [("“a”", '"a"'), ("it’s", "it's"), ("a–b", "a-b"), ("a\u00a0b", "a b"), ("a\u200bb", "ab"), ("e\u0301", "é")],
)
def test_look_alikes_fold_together(odd: str, plain: str) -> None:
    assert fold(odd) == fold(plain)


@given(TEXT, st.lists(st.text(alphabet="ab ", max_size=3), min_size=1, max_size=3))
def test_property_exact_offsets_are_all_whole_line_places(text: str, lines: list[str]) -> None:
    source = Source(text)
    wanted = [n for n in range(source.count - len(lines) + 1) if source.lines[n : n + len(lines)] == lines]
    assert [source.line_at(at) for at in exact_offsets(source, tuple(lines))] == wanted


@given(TEXT, st.lists(st.text(alphabet="ab ", max_size=3), min_size=1, max_size=3))
def test_property_an_index_finds_what_searching_finds(text: str, lines: list[str]) -> None:
    source, indexed = Source(text), Source(text)
    indexed.work.spend(letters=1000 * len(text))
    assert not source.is_indexed
    assert exact_offsets(indexed, tuple(lines)) == exact_offsets(source, tuple(lines))
    for core in filter(None, map(str.strip, lines)):
        assert whole_lines(indexed, core, 9) == whole_lines(source, core, 9)
        assert line_numbers(indexed, core, 9) == line_numbers(source, core, 9)


@given(st.text(alphabet="ab", max_size=60), st.text(alphabet="ab", max_size=60), st.text(alphabet="ab", max_size=60))
def test_property_the_common_prefix_is_the_longest(head: str, a: str, b: str) -> None:
    a, b = head + a, head + b
    length = common_prefix(a, b)
    assert a[:length] == b[:length]
    assert length == min(len(a), len(b)) or a[length] != b[length]
    assert common_prefix(list(a), list(b)) == length


@given(TEXT, st.sampled_from(["a", "ab", "b", "-"]))
def test_property_words_are_found_with_and_without_an_index(text: str, word: str) -> None:
    source, indexed = Source(text.replace("\u2028", "-")), Source(text.replace("\u2028", "-"))
    indexed.work.spend(letters=1000 * len(text))
    lines = [n for n, line in enumerate(source.lines) if word in re.findall(r"\w+|[^\w\s]", line)]
    assert source.word_lines(word, 99) == indexed.word_lines(word, 99) == lines


def test_whole_lines_ignore_outer_blanks_and_parts_of_lines() -> None:
    assert whole_lines(Source("go\n  go \ngone\nlet go\n\tgo"), "go", 10) == [0, 3, 21]
