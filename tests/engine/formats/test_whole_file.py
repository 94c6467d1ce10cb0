"""Whole files in fences."""

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import NoEditsFound, ReplyMalformed, ReplyTruncated
from inlay.model.edit import Overwrite


@pytest.mark.parametrize(
    "head",
    [
        "src/app.py\n```python\n",
        "**src/app.py**\n\n```\n",
        "### `src/app.py`:\n```python\n",
        "1. File: src/app.py (new)\n~~~\n",
        "```python src/app.py\n",
        "```python:src/app.py\n",
        "```src/app.py\n",
        '```python title="src/app.py"\n',
        "```python\n# file: src/app.py\n",
    ],
)
def test_the_name_stands_above_the_fence_or_in_it(head: str) -> None:
    fence = "~~~" if "~~~" in head else "```"
    assert read(f"{head}x = 1\n\n{fence}\n").parts == (Overwrite("src/app.py", "x = 1\n\n"),)


def test_several_files_and_commands_that_are_no_files() -> None:
    reply = "a.py\n```python\nx\n```\n\nb.md\n````\n```\ny\n```\n````\n\nRun it:\n```bash\npython a.py\n```\n"
    assert read(reply).parts == (Overwrite("a.py", "x\n"), Overwrite("b.md", "```\ny\n```\n"))


def test_a_tagged_fence_inside_is_content() -> None:
    assert read("r.md\n```\na\n```sh\nls\n```\nb\n```\n").parts == (Overwrite("r.md", "a\n```sh\nls\n```\nb\n"),)


def test_an_end_that_cannot_be_told_is_refused() -> None:
    with pytest.raises(ReplyMalformed) as refused:
        read("r.md\n```\na\n```\nls\n```\nb\n```\n")
    assert refused.value.misfits[0].code == "ambiguous"


@pytest.mark.parametrize(
    "reply", ["```python\nx\n```\n", "Run main.py:\n```\nx\n```\n", "main.py\n```bash\npython main.py\n```\n"]
)
def test_a_fence_without_a_name_is_no_file(reply: str) -> None:
    with pytest.raises(NoEditsFound):
        read(reply)


def test_one_fence_without_a_name_is_the_file_that_was_asked_for() -> None:
    assert read("Here:\n\n```python\nx\n```\n", "whole_file").parts == (Overwrite(None, "x\n"),)
    with pytest.raises(NoEditsFound):
        read("```python\nx\n```\n\n```python\ny\n```\n", "whole_file")


def test_an_open_fence_means_that_the_reply_was_cut_off() -> None:
    with pytest.raises(ReplyTruncated, match=r"1 edit before that complete: a.py .overwrite."):
        read("a.py\n```\nx\n```\n\nb.py\n```python\nx\n")


def test_edits_quoted_in_an_inner_fence_are_content() -> None:
    block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
    assert read(f"r.md\n````\n# How to\n\n```\n{block}```\n````\n").format == "whole_file"
    with pytest.raises(ReplyMalformed) as refused:
        read(f"r.md\n```\n# How to\n{block}```\n")
    assert refused.value.misfits[0].code == "ambiguous-format"


def test_the_prompt_teaches_what_is_read() -> None:
    assert [part.path for part in read(FORMATS["whole_file"].prompt).parts] == ["src/prices.py"]
