"""Which new lines are markup of the reply, and which are content that looks like it."""

from __future__ import annotations

import pytest

from inlay.engine.staging import stage
from inlay.errors import EditsRefused, Misfit
from inlay.model.allowance import Allowance
from inlay.model.edit import Block, Create, Edit, Hunk, Overwrite, Part, Reading, Update
from inlay.model.file import Snapshot


def staged(before: str, *parts: Part, allow: frozenset[Allowance] = frozenset()) -> str | None:
    files: dict[str, str | bytes] = {"a": before} if before else {}
    return stage(Reading("x", parts, allow=allow), Snapshot.of(files)).changes[0].after


def misfit(before: str, *parts: Part) -> Misfit:
    with pytest.raises(EditsRefused) as caught:
        staged(before, *parts)
    return caught.value.misfits[0]


def replacing(*edits: tuple[str, str]) -> Update:
    blocks = (Block(tuple(find.split("\n")), tuple(new.split("\n"))) for find, new in edits)
    return Update("a", tuple(Edit(number, (block,)) for number, block in enumerate(blocks, 1)))


MARKUP = [
    ("</tool_call>", "tool-tag"),
    ("<tool_call>", "tool-tag"),
    ('<invoke name="edit">', "tool-tag"),
    ("</parameter>\n</invoke>\n</function_calls>", "tool-tag"),
    ("<|im_end|>", "tool-tag"),
    ("[Showing lines 1-50 of 200]", "tool-tag"),
    ("b</parameter>", "tool-tag"),
    (">>>>>>> REPLACE", "conflict-marker"),
    ("<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> side", "conflict-marker"),
    ("< < < < < < < SEARCH", "conflict-marker"),
    (">>>>>>> updated", "conflict-marker"),
    ("*** End Patch", "conflict-marker"),
]


@pytest.mark.parametrize(("lines", "code"), MARKUP)
def test_markup_at_the_edge_of_new_text_is_never_written(lines: str, code: str) -> None:
    hunk = Hunk(((" ", "a"), *(("+", line) for line in lines.split("\n"))))
    parts: list[Part] = [
        replacing(("a", f"a\n{lines}")),
        Update("a", (Edit(1, (hunk,)),)),
        Overwrite("a", f"a\n{lines}\n"),
    ]
    for part in parts:
        assert misfit("a\n", part).code == code
    assert misfit("", Create("a", f"x\n{lines}\n")).code == code


@pytest.mark.parametrize(("lines", "code"), MARKUP)
def test_markup_at_the_edge_of_changed_lines_is_never_written(lines: str, code: str) -> None:
    """The lines around the change do not make it content."""
    added = (("+", line) for line in lines.split("\n"))
    hunk = Hunk(((" ", "x"), ("-", "a"), ("+", "b"), *added, (" ", "y")))
    parts: list[Part] = [
        replacing(("x\na\ny", f"x\nb\n{lines}\ny")),
        Update("a", (Edit(1, (hunk,)),)),
        Overwrite("a", f"x\nb\n{lines}\ny\n"),
    ]
    for part in parts:
        assert misfit("x\na\ny\n", part).code == code


@pytest.mark.parametrize(("lines", "code"), MARKUP)
def test_the_refusal_names_the_option_and_the_option_helps(lines: str, code: str) -> None:
    edit = replacing(("a", f"a\n{lines}"))
    option: Allowance = "tool-tags" if code == "tool-tag" else "markers"
    assert f"--allow {option}" in misfit("a\n", edit).advice
    assert staged("a\n", edit, allow=frozenset((option,))) == f"a\n{lines}\n"


@pytest.mark.parametrize(
    "lines",
    [
        '<parameter name="x" />',
        '<parameter name="a > b" value="c"/>',
        "<function/>",
        "<edit />",
        "<invoke/>",
        "<tool_call/>",
        '<parameter name="x">1</parameter>',
        "<tool_call>\nx\n</tool_call>",
        '<parameter\n  name="x">\n</parameter>',
        'print("</tool_call>")',
        "*** Begin Patch\n*** Delete File: b\n*** End Patch",
    ],
)
def test_elements_of_any_name_are_content(lines: str) -> None:
    assert staged("a\n", replacing(("a", lines))) == f"{lines}\n"
    assert staged("", Create("a", f"{lines}\n")) == f"{lines}\n"


def test_a_balanced_tag_in_the_middle_of_new_text_is_content() -> None:
    new = 'PROMPT = """\n<tool_call>\n</tool_call>\n"""'
    assert staged("a\n", replacing(("a", new))) == f"{new}\n"


def test_a_tag_in_a_string_is_content_where_a_parser_says_so() -> None:
    new = 'PROMPT = """\n<tool_call>\n"""\n'
    for name, is_content in (("a.py", True), ("a.txt", False)):
        reading = Reading("x", (Create(name, new),))
        if is_content:
            assert stage(reading, Snapshot.of({})).changes[0].after == new
        else:
            with pytest.raises(EditsRefused, match="tool_call"):
                stage(reading, Snapshot.of({}))


def test_a_stray_tag_in_the_middle_of_new_text_is_not_content() -> None:
    with pytest.raises(EditsRefused) as refusal:
        staged("- a\n- b\n", replacing(("- a\n- b", "- a\n- new\n</parameter>\n- b")))
    assert [misfit.code for misfit in refusal.value.misfits] == ["tool-tag"]


def test_two_edits_may_open_and_close_an_element() -> None:
    edits = replacing(("a", "<edit>\na"), ("c", "c\n</edit>"))
    assert staged("a\nb\nc\n", edits) == "<edit>\na\nb\nc\n</edit>\n"


def test_an_edit_may_close_what_the_file_left_open() -> None:
    assert staged("<edit>\na\n", replacing(("a", "a\n</edit>"))) == "<edit>\na\n</edit>\n"


def test_an_edit_may_not_open_what_the_file_has_balanced() -> None:
    assert misfit("<edit>\na\n</edit>\n", replacing(("a", "a\n</edit>"))).code == "tool-tag"


def test_a_file_with_lonely_tags_may_get_more() -> None:
    assert staged("<tool_call>\na\n", replacing(("a", "b\n<tool_call>"))) == "<tool_call>\nb\n<tool_call>\n"


def test_a_file_about_markers_may_get_a_complete_set() -> None:
    conflict = "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs"
    another = "<<<<<<< left\n=======\n>>>>>>> right"
    assert staged(f"{conflict}\na\n", replacing(("a", another))) == f"{conflict}\n{another}\n"
    assert misfit(f"{conflict}\na\n", replacing(("a", "<<<<<<< left"))).code == "conflict-marker"
