"""What holds for every format: detection, wrapping, line ends, and an answer to any text in reasonable time."""

import contextlib
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inlay.engine.formats import FORMATS, read
from inlay.errors import NoEditsFound, ReplyMalformed, ReplyRejected
from inlay.model.edit import Block, Delete, Overwrite, Reading, Update

BLOCK = "f.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
DIFF = "--- a/g.py\n+++ b/g.py\n@@ -1 +1 @@\n-a\n+b\n"


def test_names_and_aliases_are_unique() -> None:
    names = [name for each in FORMATS.values() for name in (each.name, *each.aliases)]
    assert len(names) == len(set(names))
    assert list(FORMATS) == [each.name for each in FORMATS.values()]


@pytest.mark.parametrize("alias", ["udiff", "diff", "patch", "Unified-Diff"])
def test_a_format_can_be_asked_for_by_any_name(alias: str) -> None:
    assert read(DIFF, alias).format == "unified_diff"


def test_an_unknown_format_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="search_replace"):
        read(DIFF, "morse")


def test_the_format_asked_for_is_the_only_one_read() -> None:
    with pytest.raises(NoEditsFound, match="it does contain search_replace"):
        read(BLOCK, "unified_diff")


@pytest.mark.parametrize("reply", ["", "\n\n", "I cannot do that.", "```python\nprint(1)\n```\n"])
def test_no_edits_is_not_success(reply: str) -> None:
    with pytest.raises(NoEditsFound, match="no edits found"):
        read(reply)


def test_formats_may_differ_from_part_to_part() -> None:
    reading = read(f"{BLOCK}\nand\n\n```diff\n{DIFF}```\n")
    assert (reading.format, [part.path for part in reading.parts]) == ("mixed", ["f.py", "g.py"])
    assert [edit.number for part in reading.parts if isinstance(part, Update) for edit in part.edits] == [1, 2]


def test_edits_quoted_in_an_edit_are_its_content() -> None:
    inner = BLOCK.replace("<<<<<<<", "<<<<<").replace(">>>>>>>", ">>>>>").replace("=======", "=====")
    outer = f"## doc.md\nFIND:\n````\n{DIFF}````\nREPLACE WITH:\n````\n{inner}````\n"
    assert read(outer).format == "find_replace"
    assert read(f"doc.md\n<<<<<<< SEARCH\n{inner}=======\n{DIFF}>>>>>>> REPLACE\n").format == "search_replace"


def test_a_line_that_fits_two_formats_is_refused() -> None:
    with pytest.raises(ReplyMalformed) as refused:
        read("--- SEARCH\n+++ REPLACE\n@@\n-a\n+b\n===\n+++ REPLACE\n")
    assert refused.value.misfits[0].code == "ambiguous-format"


@pytest.mark.parametrize("reply", [BLOCK, f"f.py\n```python\n{BLOCK[5:]}```\n", DIFF])
def test_clean_replies_have_no_wrapping(reply: str) -> None:
    assert read(reply, strict=True).wrapping == ()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (f"Sure!\n\n{BLOCK}", "prose 'Sure!'"),
        (f"<tool_call>\n{DIFF}</tool_call>\n", "tool tag '<tool_call>'"),
        (f"```diff\n{DIFF}```\n", "code fence"),
        (f"git apply <<'EOF'\n{DIFF}EOF\n", "shell wrapper"),
    ],
)
def test_strict_refuses_whatever_stands_around(reply: str, told: str) -> None:
    assert told in "; ".join(read(reply).wrapping)
    with pytest.raises(ReplyMalformed) as refused:
        read(reply, strict=True)
    assert refused.value.misfits[0].code == "wrapped"


def test_tool_tags_inside_an_edit_are_content() -> None:
    reading = read("f.py\n<<<<<<< SEARCH\na\n=======\n<tool_call>\n>>>>>>> REPLACE\n", strict=True)
    assert isinstance(part := reading.parts[0], Update)
    assert part.edits[0].variants == (Block(("a",), ("<tool_call>",)),)


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_line_ends_of_the_reply_do_not_matter(newline: str) -> None:
    assert read((BLOCK + DIFF).replace("\n", newline)) == read(BLOCK + DIFF)


def test_other_separators_are_content() -> None:
    odd = "x\f\v\x1c\x85\u2028\u2029\0\ud800y"
    (part,) = read(f"f.py\n<<<<<<< SEARCH\n{odd}\n=======\nb\n>>>>>>> REPLACE\n").parts
    assert isinstance(part, Update)
    assert part.edits[0].variants == (Block((odd,), ("b",)),)


def test_edits_that_change_nothing_are_kept_for_staging_to_judge() -> None:
    assert len(read("f.py\n<<<<<<< SEARCH\na\n=======\na\n>>>>>>> REPLACE\n").parts) == 1


FRAGMENTS = (
    "<<<<<<< SEARCH\n", "------- SEARCH\n", "=======\n", "=====\n", ">>>>>>> REPLACE\n", "+++++++ REPLACE\n",
    ":start_line:3\n", "-------\n", "```\n", "```python\n", "````\n", "~~~\n", "### CHANGE 1: x\n", "FIND:\n",
    "REPLACE WITH:\n", "## a/b.py\n", "c.py\n", "`d.py`:\n", "*** Begin Patch\n", "*** End Patch\n",
    "*** Update File: e\n", "*** Add File: f\n", "*** Delete File: g\n", "*** Move to: h\n", "*** End of File\n",
    "@@\n", "@@ -1,2 +1,3 @@ x\n", "@@ y\n", "--- a/i\n", "+++ b/i\n", "--- /dev/null\n", "diff --git a/j b/j\n",
    "new file mode 100644\n", "rename from k\n", "rename to l\n", "\\ No newline at end of file\n", " ctx\n", "-old\n",
    "+new\n", "plain\n", "\n", "<tool_call>\n", "</tool_call>\n", '{"path": "m", "edits": [', '{"old_string": "a", ',
    '"new_string": "b"', "}", "]", ",", '"', "\\", "[", "{", "\r\n", "\r", "\0", "\u2028", "EOF\n",
    '"range": {"start": 1, "end": 0}',
)  # fmt: skip


def answered(reply: str, format: str | None) -> None:
    refused = None
    try:
        assert isinstance(read(reply, format), Reading)
    except ReplyRejected as error:
        refused = error
    assert refused is None or (refused.misfits and refused.feedback())


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join), st.sampled_from([None, *FORMATS]))
def test_any_assembly_of_markers_is_answered(reply: str, format: str | None) -> None:
    answered(reply, format)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=200), st.sampled_from([None, *FORMATS]))
def test_any_text_is_answered(reply: str, format: str | None) -> None:
    answered(reply, format)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join), st.sampled_from(["\r\n", "\r"]))
def test_any_reading_is_the_same_with_other_line_ends(reply: str, newline: str) -> None:
    plain = reply.replace("\r\n", "\n").replace("\r", "\n")
    outcomes = []
    for text in (plain, plain.replace("\n", newline)):
        try:
            outcomes.append(repr(read(text)))
        except ReplyRejected as refused:
            outcomes.append(str(refused))
    assert outcomes[0] == outcomes[1]


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """Measure the code and not the tool that counts its lines."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


@pytest.mark.slow
@pytest.mark.parametrize(
    "head", ["", "f.py\n<<<<<<< SEARCH\n", "```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n", '{"edits": ["']
)
@pytest.mark.parametrize(
    "unit",
    [*FRAGMENTS, " ", "\t", "a", "`", "=", "<", "*", "@", "-", "+", "#", "(", '{"a":\n', '{"a":1}\n', "a.py\n```\n"],
)
def test_time_grows_with_length_only(head: str, unit: str) -> None:
    reply = head + unit * (1_000_000 // len(unit))
    with unwatched():
        start = time.process_time()
        answered(reply, None)
        assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "reply",
    [
        'a.py\n```python\nS = ("*** Begin Patch\\n", "*** End Patch\\n")\n```\n',
        'a.py\n<<<<<<< SEARCH\nS = "*** Begin Patch\\n*** End Patch"\n=======\nS = ""\n>>>>>>> REPLACE\n',
    ],
)
def test_a_string_in_content_that_looks_like_a_patch_stays_as_it_is(reply: str) -> None:
    part = read(reply).parts[0]
    content = part.content if isinstance(part, Overwrite) else "\n".join(part.edits[0].variants[0].find)  # type: ignore[union-attr]
    assert '"*** Begin Patch\\n' in content


def test_a_patch_handed_over_as_a_string_of_a_tool_call_is_read() -> None:
    call = '{"cmd": ["apply_patch", "*** Begin Patch\\n*** Delete File: a.py\\n*** End Patch"]}'
    assert read(call).parts == (Delete("a.py"),)
