"""Messages taken apart, and what git would keep of an edited one."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.commits.messages import cleaned, parse
from inlay.commits.messages.cleanup import tidied


def test_the_parts_of_a_conventional_message() -> None:
    text = (
        "feat(api)!: add x\n\nWhy it is so.\n\nStill why.\n\nBREAKING CHANGE: y\n  goes on\nRefs: #1\n"
        "Signed-off-by: A <a@b.c>\n"
    )
    message = parse(text)
    assert (message.type, message.scope, message.subject) == ("feat", "api", "add x")
    assert message.is_breaking
    assert message.is_marked
    assert (message.body, message.body_line) == (("Why it is so.", "", "Still why."), 3)
    assert message.footer_line == 7
    assert [(each.key, each.value, each.line) for each in message.trailers] == [
        ("BREAKING CHANGE", "y goes on", 7),
        ("Refs", "#1", 9),
        ("Signed-off-by", "A <a@b.c>", 10),
    ]


@pytest.mark.parametrize(
    ("text", "body", "footer"),
    [
        ("x", (), ()),
        ("", (), ()),
        ("x\n\nnote: this is prose\nthat goes on", ("note: this is prose", "that goes on"), ()),
        ("x\n\nCloses #12", (), ("Closes #12",)),
        ("x\n\nbody\nSigned-off-by: A <a@b.c>", ("body",), ("Signed-off-by: A <a@b.c>",)),
        ("x\n\nbody\n\nA: 1\n\nB: 2", ("body",), ("A: 1", "", "B: 2")),
        ("x\nSigned-off-by: A <a@b.c>", (), ("Signed-off-by: A <a@b.c>",)),
        ("x\n\n(cherry picked from commit 1234567)", (), ("(cherry picked from commit 1234567)",)),
    ],
)
def test_where_the_footer_begins(text: str, body: tuple[str, ...], footer: tuple[str, ...]) -> None:
    message = parse(text)
    assert (message.body, message.footer) == (body, footer)


@given(st.text(alphabet="ab:#(!) \n-\tBREAKINGCHS", max_size=60))
def test_property_anything_is_a_message(text: str) -> None:
    message = parse(text)
    assert len(message.lines) >= len(message.body) + len(message.footer)
    for number, line in (*message.numbered("body"), *message.numbered("footer")):
        assert message.lines[number - 1] == line


def stripped(text: str, folder: Path) -> str:
    command = ["git", "stripspace", "--strip-comments"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=folder)
    return done.stdout.decode()


@given(text=st.text(alphabet="ab# \n\t", max_size=40))
def test_property_a_message_is_cleaned_as_git_does(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert cleaned(text) == stripped(text, tmp_path_factory.getbasetemp())


def test_scissors_and_other_comment_marks() -> None:
    cut = "x\n\n# ------------------------ >8 ------------------------\n# Do not\ndiff --git a b\n"
    assert cleaned(cut) == "x\n"
    assert cleaned("x\n; no\n#1 is kept\n", ";") == "x\n#1 is kept\n"
    assert cleaned("#1 is kept\n\n; Please enter\n; the message\n", "auto") == "#1 is kept\n"
    assert cleaned("x\n\n# Please enter\n# the message\n", "auto") == "x\n"
    assert cleaned("x\r\n\r\ny\r\n") == "x\n\ny\n"
    assert tidied("  x \n\n\n\n#1\n\n") == "  x\n\n#1\n"
