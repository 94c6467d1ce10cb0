"""Append, insert and replace keep the file's own line endings and its rule about the final newline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.engine.merging import STRATEGIES, merge
from inlay.errors import MergeRefused, ReplyRejected
from inlay.model.file import RepoPath

PATH = RepoPath("notes.txt")
LINES = st.lists(st.text(alphabet="ab \t\f", max_size=4), max_size=6)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


@pytest.mark.parametrize(
    ("existing", "new", "merged"),
    [
        ("a\n", "b\n", "a\nb\n"),
        ("a\n", "b", "a\nb\n"),
        ("a", "b\n", "a\nb"),
        ("a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\r\nb", "c\n", "a\r\nb\r\nc"),
        ("a\n\n", "b\n", "a\n\nb\n"),
        ("", "b", "b"),
        ("a", "", "a"),
        ("a\n", "\ufeffb\n", "a\nb\n"),
    ],
)
def test_append_adds_after_the_end(existing: str, new: str, merged: str) -> None:
    assert merge("append", existing, new, path=PATH).text == merged


@pytest.mark.parametrize(
    ("existing", "line", "merged"),
    [
        ("a\nb\n", 1, "x\na\nb\n"),
        ("a\nb\n", 2, "a\nx\nb\n"),
        ("a\nb\n", 3, "a\nb\nx\n"),
        ("a\nb", 3, "a\nb\nx"),
        ("a\r\nb\n", 2, "a\r\nx\r\nb\n"),
        ("a\nb\r\n", 1, "x\na\nb\r\n"),
        ("", 1, "x\n"),
    ],
)
def test_insert_goes_before_the_line_and_ends_as_its_neighbour(existing: str, line: int, merged: str) -> None:
    assert merge("insert", existing, "x\n", path=PATH, line=line).text == merged


@pytest.mark.parametrize("line", [0, -1, 4, 1000])
def test_insert_outside_the_file_is_refused_and_says_what_would_do(line: int) -> None:
    with pytest.raises(MergeRefused, match=f"no line {line} to insert before: the file has 2 lines") as caught:
        merge("insert", "a\nb\n", "x\n", path=PATH, line=line)
    assert "from 1 to 3" in caught.value.feedback()
    assert caught.value.misfits[0].path == "notes.txt"
    assert isinstance(caught.value, ReplyRejected)


def test_insert_needs_a_line() -> None:
    with pytest.raises(MergeRefused, match="needs a line number"):
        merge("insert", "a\n", "x\n", path=PATH)


@pytest.mark.parametrize(
    ("existing", "new", "merged"),
    [
        ("a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n"),
        ("a\nb", "x\ny\n", "x\ny"),
        ("a\n", "x\r\ny", "x\ny\n"),
        ("", "x\r\n", "x\r\n"),
        ("a\n", "", ""),
        ("a", "x\ny\n", "x\ny"),
    ],
)
def test_replace_writes_new_content_in_the_old_style(existing: str, new: str, merged: str) -> None:
    assert merge("replace", existing, new, path=PATH).text == merged


def test_replace_tells_when_the_file_mixed_its_endings() -> None:
    merged = merge("replace", "a\r\nb\r\nc\n", "x\ny\n", path=PATH)
    assert merged.text == "x\r\ny\r\n"
    assert "mixed line endings" in merged.notes[0]


@given(LINES, LINES, ENDINGS, st.booleans())
def test_append_leaves_every_line_of_the_file_alone(old: list[str], new: list[str], ending: str, final: bool) -> None:
    existing = ending.join(old) + (ending if final and old else "")
    merged = merge("append", existing, "\n".join(new), path=PATH).text
    assert merged.startswith(existing)
    if existing and existing[-1] not in "\r\n" and new and any(new):
        assert merged[len(existing) :].startswith(("\n", ending)) or merged == existing


@given(LINES.filter(any), LINES.filter(lambda new: bool(new and new[-1])), ENDINGS, st.data())
def test_insert_can_be_undone_by_removing_its_lines(
    old: list[str], new: list[str], ending: str, data: st.DataObject
) -> None:
    existing = "".join(line + ending for line in old)
    at = data.draw(st.integers(1, len(old) + 1))
    merged = merge("insert", existing, "\n".join(new) + "\n", path=PATH, line=at).text.split(ending)
    assert merged[: at - 1] + merged[at - 1 + len(new) :] == existing.split(ending)
    assert merged[at - 1 : at - 1 + len(new)] == new


def test_every_strategy_says_what_it_does() -> None:
    assert list(STRATEGIES) == ["append", "insert", "replace", "extend"]
    assert all(STRATEGIES.values())
