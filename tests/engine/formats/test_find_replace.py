"""FIND / REPLACE WITH blocks."""

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import NoEditsFound, ReplyMalformed, ReplyTruncated
from inlay.model.edit import Block, Create, Reading, Update


def change(find: str, replace: str, number: int = 1, fence: str = "```", tag: str = "") -> str:
    blocks = [f"{fence}{tag}\n{text}{fence}\n" for text in (find, replace)]
    return f"### CHANGE {number}: step {number}\nFIND:\n{blocks[0]}\nREPLACE WITH:\n{blocks[1]}\n"


def blocks(reading: Reading) -> list[Block]:
    edits = [edit for part in reading.parts if isinstance(part, Update) for edit in part.edits]
    return [variant for edit in edits for variant in edit.variants if isinstance(variant, Block)]


@pytest.mark.parametrize(("fence", "tag"), [("```", ""), ("```", "python"), ("~~~", "text"), ("````", "c++")])
def test_any_fence_will_do(fence: str, tag: str) -> None:
    reading = read(change("a\n", "b\n", fence=fence, tag=tag))
    assert (reading.format, blocks(reading)) == ("find_replace", [Block(("a",), ("b",))])


def test_changes_keep_order_number_and_description() -> None:
    (part,) = read(change("a\n", "b\n", 1) + change("c\n", "d\n", 2)).parts
    assert isinstance(part, Update)
    assert [(edit.number, edit.description) for edit in part.edits] == [(1, "step 1"), (2, "step 2")]
    assert part.path is None


@pytest.mark.parametrize("heading", ["## src/a.py", "File: src/a.py", "### FILE: src/a.py", "**src/a.py**", "src/a.py"])
def test_a_heading_names_the_file_for_all_changes_below_it(heading: str) -> None:
    reading = read(
        f"{heading}\n\n" + change("a\n", "b\n") + change("c\n", "d\n", 2) + "## b.py\n" + change("e\n", "", 3)
    )
    assert [(part.path, len(part.edits)) for part in reading.parts if isinstance(part, Update)] == [
        ("src/a.py", 2),
        ("b.py", 1),
    ]
    assert not reading.wrapping


def test_an_empty_replacement_deletes() -> None:
    assert blocks(read(change("a\n", ""))) == [Block(("a",), ())]


def test_an_empty_find_makes_a_new_file() -> None:
    assert read("## new.py\n" + change("", "x\n")).parts == (Create("new.py", "x\n"),)


def test_tagged_fences_inside_are_content() -> None:
    body = "text\n```bash\nls\n```\nend\n"
    assert blocks(read(change(body, body.replace("ls", "ls -l")))) == [
        Block(("text", "```bash", "ls", "```", "end"), ("text", "```bash", "ls -l", "```", "end"))
    ]


@pytest.mark.parametrize("line", ["FIND:", "REPLACE WITH:", "### CHANGE 2: another"])
def test_a_block_that_begins_with_a_marker_is_content(line: str) -> None:
    reading = read(change(f"{line}\na\n", f"{line}\nb\n"))
    assert blocks(reading) == [Block((line, "a"), (line, "b"))]


def test_untagged_fences_inside_are_content_where_the_last_line_proves_it() -> None:
    body = "text\n```\nls\n```\nend\n"
    assert blocks(read(change(body, body.replace("ls", "ls -l"))))[0].replace == ("text", "```", "ls -l", "```", "end")


def test_fences_as_in_find_prove_the_end_where_the_last_line_changes() -> None:
    body = "text\n```bash\nls\n```\nend\n"
    (block,) = blocks(read(change(body, body.replace("end", "finish"))))
    assert block.replace == ("text", "```bash", "ls", "```", "finish")


def test_an_end_is_not_proven_where_the_fences_of_find_are_gone() -> None:
    with pytest.raises(ReplyMalformed) as refused:
        read(change("text\n```bash\nls\n```\nend\n", "text\nfinish\n"))
    assert refused.value.misfits[0].code == "ambiguous"


def test_an_end_that_cannot_be_proven_is_refused() -> None:
    with pytest.raises(ReplyMalformed) as refused:
        read(change("text\n", "text\n```\nls\n```\nend\n"))
    assert refused.value.misfits[0].code == "ambiguous"


def test_a_block_in_the_prose_below_is_not_content() -> None:
    reading = read(change("a\n", "b\n") + "Check it with:\n\n```text\npytest\n```\n\nDone.\n")
    assert blocks(reading) == [Block(("a",), ("b",))]
    assert reading.wrapping


@pytest.mark.parametrize("cut", ["### CHANGE 2: x\n", "### CHANGE 2: x\nFIND:\n```\nc\n"])
def test_what_was_complete_is_listed_when_the_reply_is_cut_off(cut: str) -> None:
    with pytest.raises(ReplyTruncated, match=r"1 edit before that complete: the file .step 1.") as refused:
        read(change("a\n", "b\n") + cut)
    assert isinstance(refused.value.complete, Reading)
    assert blocks(refused.value.complete) == [Block(("a",), ("b",))]


def test_a_cut_inside_the_replacement_is_noticed() -> None:
    with pytest.raises(ReplyTruncated):
        read(change("a\n", "b\n").rstrip().removesuffix("```"))


@pytest.mark.parametrize(
    "reply",
    [
        "### CHANGE 1: x\nFIND:\n```\na\n```\n\nThat is all.\n",
        "### CHANGE 1: x\nFIND:\n```\na\n```\n### CHANGE 2: y\nFIND:\n```\na\n```\nREPLACE WITH:\n```\nb\n```\n",
        "### CHANGE 1: x\nFIND:\na\nREPLACE WITH:\nb\n",
        "### CHANGE 1: x\nREPLACE WITH:\n```\nb\n```\n",
    ],
)
def test_half_a_change_is_refused(reply: str) -> None:
    with pytest.raises(ReplyMalformed):
        read(reply)


def test_talk_about_changes_is_no_change() -> None:
    with pytest.raises(NoEditsFound):
        read("Change 1: I would rename it.\n\nFind:\nthe bug first.\n")


def test_the_prompt_teaches_what_is_read() -> None:
    assert len(blocks(read(FORMATS["find_replace"].prompt))) == 1
