"""Whole files: woven into the file that is there, and refused where they are a quotation of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.engine.staging import stage
from inlay.engine.staging.whole import weave_whole
from inlay.errors import EditsRefused
from inlay.model.change import ChangeSet
from inlay.model.edit import Block, Create, Edit, Overwrite, Part, Reading, Update
from inlay.model.file import RepoPath, Snapshot

PATH = RepoPath("a.txt")
FILE = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(12))


def woven(before: str, content: str) -> str:
    return weave_whole(PATH, before, content).text


def staged(files: dict[str, str | bytes], *parts: Part) -> ChangeSet:
    return stage(Reading("x", parts), Snapshot.of(files))


def code(before: str, content: str, *others: Part, path: str = "a.py") -> str:
    try:
        staged({path: before}, Overwrite(path, content), *others)
    except EditsRefused as refused:
        return refused.misfits[0].code
    return ""


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\r\nb\nc\r\n", "a\nb\nc\nd\n", "a\r\nb\nc\r\nd\r\n"),
        ("a  \nb\n", "a\nb\nc\n", "a  \nb\nc\n"),
        ("a\nb", "a\nb\nc\n", "a\nb\nc"),
        ("a\nb", "b\n", "b"),
        ("a\n", "\ufeffa\nb\n", "a\nb\n"),
        ("s = \u201cx\u201d\nt\n", 's = "x"\nu\n', "s = \u201cx\u201d\nu\n"),
        ("s = 'x'\ns = \u2018x\u2019\n", "s = \u2018x\u2019\n", "s = \u2018x\u2019\n"),
        ("s = 'x'\ns = \u2018x\u2019\n", "s = 'x'\n", "s = 'x'\n"),
        ("", "a\n", "a\n"),
        ("\n\na\n", "a\n", "a\n"),
    ],
)
def test_what_the_reply_does_not_change_keeps_its_bytes(before: str, content: str, after: str) -> None:
    assert woven(before, content) == after


def test_lines_kept_for_look_alikes_are_named() -> None:
    assert weave_whole(PATH, "\u2018a\u2019\nb\n", "'a'\nc\n").warnings == (
        "a.txt: line 1 differs from the reply in look-alike characters only, and stayed unchanged",
    )


_LINES = st.lists(st.sampled_from(["a", "a ", "b", "\u2018b\u2019", "'b'", "", "  c", "d"]), max_size=12)


@given(before=_LINES, content=_LINES, ending=st.sampled_from(["\n", "\r\n"]), is_open=st.booleans())
def test_property_the_result_reads_as_the_reply_does(
    before: list[str], content: list[str], ending: str, is_open: bool
) -> None:
    old = ending.join(before) + ("" if is_open or not before else ending)
    new = "".join(f"{line}\n" for line in content)
    text = woven(old, new)

    def plain(text: str) -> list[str]:
        lines = text.replace("\r\n", "\n").replace("\u2018", "'").replace("\u2019", "'").rstrip("\n").split("\n")
        return [line.rstrip() for line in lines]

    assert plain(text) == plain(new)
    if text and not is_open:
        assert woven(text, new) == text
    if old.count("\n") and ending == "\r\n":
        assert "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("def f3(x):\n    return x + 3\n", "excerpt"),
        ("    return x + 3\n", "excerpt"),
        ("def f3(x):\n    return x + 3\n\n\ndef f5(x):\n    return x + 5\n", "excerpt"),
        ("def f3(x):\n    return x + 33\n", "partial-file"),
        ("import os\n\n\ndef f3(x):\n    return os.name + x\n", "partial-file"),
        ("def f1(x):\n    return 1\n\n\ndef f10(x):\n    return 2\n", "partial-file"),
        ("# It adds.\n", "summary"),
        (FILE.replace("x + 3\n", "x + 33\n"), ""),
        (FILE, ""),
    ],
)
def test_a_quotation_is_not_the_file(content: str, expected: str) -> None:
    assert code(FILE, content) == expected


@pytest.mark.parametrize("content", ["b\n", "a\nb\n", "x\ny\n", "c\nnew\n"])
def test_a_small_file_may_be_rewritten_or_cut_down(content: str) -> None:
    assert code("a\nb\nc\nd\ne\nf\ng\n", content, path="a.txt") == ""


def test_what_goes_to_another_file_is_not_lost() -> None:
    first, rest = FILE[: FILE.index("def f4")], FILE[FILE.index("def f4") :]
    assert code(FILE, first) == "excerpt"
    assert code(FILE, first, Create("b.py", rest)) == ""
    assert code(FILE, first, Create("b.py", "x = 1\n")) == ""  # an excerpt beside a real change is ignored
    assert len(staged({"a.py": FILE}, Overwrite("a.py", first), Create("b.py", "x = 1\n")).changes) == 1
    assert len(staged({"a.py": FILE}, Overwrite("a.py", first), Create("b.py", rest)).changes) == 2


def test_several_excerpts_and_nothing_else_are_refused() -> None:
    parts = (Overwrite("a.py", "def f3(x):\n    return x + 3\n"), Overwrite("b.py", "def f4(x):\n    return x + 4\n"))
    with pytest.raises(EditsRefused) as caught:
        staged({"a.py": FILE, "b.py": FILE}, *parts)
    assert [(misfit.path, misfit.code) for misfit in caught.value.misfits] == [("a.py", "excerpt"), ("b.py", "excerpt")]


def test_an_excerpt_does_not_hide_why_an_edit_is_refused() -> None:
    edit = Update("b.py", (Edit(1, (Block(("nowhere",), ("x",)),)),))
    with pytest.raises(EditsRefused) as caught:
        staged({"a.py": FILE, "b.py": FILE}, Overwrite("a.py", "def f3(x):\n    return x + 3\n"), edit)
    assert [misfit.code for misfit in caught.value.misfits] == ["not-found"]


def test_a_file_shown_whole_and_then_cut_down_is_refused() -> None:
    shorter = FILE[: FILE.index("def f9")]
    assert code(FILE, FILE, Overwrite("a.py", shorter)) == "named-twice"


def test_a_line_added_below_a_changed_last_line_without_ending_follows_at_once() -> None:
    assert woven("\u2018b\u2019\na\n'b'", "a\n\u2018b\u2019\na\n") == "a\n\u2018b\u2019\na"
