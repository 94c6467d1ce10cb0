"""Patches between *** Begin Patch and *** End Patch."""

import json

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import ReplyMalformed, ReplyTruncated
from inlay.model.edit import Create, Delete, Edit, Hunk, Op, Update

SWAP: tuple[Op, ...] = ((" ", "x"), ("-", "a"), ("+", "b"))
BODY = " x\n-a\n+b\n"


def framed(text: str) -> str:
    return f"*** Begin Patch\n{text}*** End Patch\n"


def edits(text: str) -> tuple[Edit, ...]:
    (part,) = read(framed(f"*** Update File: f.py\n{text}")).parts
    assert isinstance(part, Update)
    return part.edits


def test_files_are_added_updated_moved_and_deleted() -> None:
    reply = framed(
        f"*** Add File: n.py\n+a\n+\n+b\n*** Delete File: d.py\n*** Update File: f.py\n*** Move to: g.py\n@@\n{BODY}"
        "*** Update File: h.py\n*** Move to: i.py\n"
    )
    assert read(reply).parts == (
        Create("n.py", "a\n\nb\n"),
        Delete("d.py"),
        Update("f.py", (Edit(1, (Hunk(SWAP),)),), "g.py"),
        Update("h.py", (), "i.py"),
    )


def test_the_first_chunk_needs_no_section() -> None:
    assert edits(BODY)[0].variants == (Hunk(SWAP),)


def test_sections_nest() -> None:
    assert edits(f"@@ class A:\n@@     def f():\n{BODY}@@\n{BODY}")[0].sections == ("class A:", "def f():")


def test_numbers_are_hints() -> None:
    (edit,) = edits(f"@@ -12,3 +12,4 @@ def f():\n{BODY}")
    assert (edit.line, edit.sections) == (12, ("def f():",))


def test_the_end_of_the_file_is_a_place() -> None:
    assert edits(f"@@\n{BODY}*** End of File\n")[0].at_end


def test_an_empty_line_is_blank_context_but_not_at_the_end() -> None:
    assert edits("@@\n x\n\n-a\n+b\n\n")[0].variants == (Hunk(((" ", "x"), (" ", ""), ("-", "a"), ("+", "b"))),)


def test_a_line_without_a_prefix_is_context() -> None:
    assert edits(f"@@\n{BODY}stray\n")[0].variants == (Hunk((*SWAP, (" ", "stray")), bare=(3,)),)


def test_both_sentinels_may_be_absent() -> None:
    assert read(f"*** Update File: f.py\n@@\n{BODY}\nDone.\n").parts[0].path == "f.py"


@pytest.mark.parametrize(
    "reply",
    [
        f"*** Begin Patch\n*** Update File: f.py\n@@\n{BODY}",
        f"*** Update File: f.py\n@@\n{BODY}*** End Patch\n",
        f"```\n*** Begin Patch\n*** Update File: f.py\n@@\n{BODY}```\n",
        f"```\n*** Update File: f.py\n@@\n{BODY}",
        "*** Begin Patch\n*** Update File: f.py\n",
    ],
)
def test_one_sentinel_alone_means_that_the_reply_was_cut_off(reply: str) -> None:
    with pytest.raises(ReplyTruncated):
        read(reply)


def test_files_before_the_cut_are_complete() -> None:
    with pytest.raises(ReplyTruncated, match=r"1 edit before that complete: d.py .delete."):
        read(f"*** Begin Patch\n*** Delete File: d.py\n*** Update File: f.py\n@@\n{BODY}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("apply_patch <<'EOF'\n", "EOF\n"),
        ("%%bash\ncd x && apply_patch <<EOF\n", "EOF\n"),
        ("cat <<'PATCH' | apply_patch\n", "PATCH\n"),
        ("```diff\n", "```\n"),
        ("<tool_call>\n", "</tool_call>\n"),
        ("Sure!\n\n", "\nDone.\n"),
    ],
)
def test_what_stands_around_is_passed_over_and_told(before: str, after: str) -> None:
    reading = read(before + framed(f"*** Update File: f.py\n@@\n{BODY}") + after)
    assert (reading.format, len(reading.parts)) == ("apply_patch", 1)
    assert reading.wrapping


def test_a_patch_inside_a_json_command_is_written_out() -> None:
    reply = json.dumps({"cmd": ["apply_patch", framed(f"*** Update File: f.py\n@@\n{BODY}")]})
    assert read(reply).parts == (Update("f.py", (Edit(1, (Hunk(SWAP),)),)),)


@pytest.mark.parametrize(
    "text",
    [
        "*** Add File: n.py\n+a\nb\n+c\n",
        "*** Update File: f.py\n",
        "*** Update File:  \n@@\n+a\n",
        "*** Rename File: f.py\n",
        "*** Update File: f.py\n" + "@@ x\n" * 40 + BODY,
    ],
)
def test_broken_patches_are_refused(text: str) -> None:
    with pytest.raises(ReplyMalformed):
        read(framed(text))


def test_the_prompt_teaches_what_is_read() -> None:
    assert [part.path for part in read(FORMATS["apply_patch"].prompt).parts] == [
        "src/prices.py",
        "src/taxes.py",
        "src/obsolete.py",
    ]
