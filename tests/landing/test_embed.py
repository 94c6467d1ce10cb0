"""One file's text in, one file's text out."""

from pathlib import Path

import pytest

from inlay import FORMATS, EmbedRequest, Workspace, embed, land


def block(find: str, replace: str, path: str = "") -> str:
    return f"{path}\n<<<<<<< SEARCH\n{find}\n=======\n{replace}\n>>>>>>> REPLACE\n"


def applied(request: EmbedRequest) -> str | None:
    result = embed(request)
    assert result.refusal is None, result.refusal
    return result.content


def code(request: EmbedRequest) -> str:
    result = embed(request)
    assert result.refusal is not None
    assert result.content is None
    return result.refusal.misfits[0].code


@pytest.mark.parametrize("name", ["a.py", "", "wrong.py", "b/src/a.py", "/abs/a.py", "../a.py"])
def test_the_callers_path_is_meant_whatever_the_reply_says(name: str) -> None:
    assert applied(EmbedRequest("src/a.py", "x = 1\n", block("x = 1", "x = 2", name))) == "x = 2\n"


@pytest.mark.parametrize("path", ["/home/me/a.py", "C:\\work\\a.py", "", "../../a.py", "a\0.py", "file:///a.py"])
def test_the_callers_path_may_be_anything(path: str) -> None:
    assert applied(EmbedRequest(path, "x = 1\n", block("x = 1", "x = 2"))) == "x = 2\n"


def test_a_reply_about_several_files_is_refused() -> None:
    reply = block("x = 1", "x = 2", "a.py") + block("x = 1", "x = 2", "b.py")
    assert code(EmbedRequest("a.py", "x = 1\n", reply)) == "several-files"


def test_the_same_file_by_two_names_is_one_file() -> None:
    reply = block("x = 1", "x = 2", "src/a.py") + block("y = 1", "y = 2", "./a.py")
    assert applied(EmbedRequest("a.py", "x = 1\ny = 1\n", reply)) == "x = 2\ny = 2\n"


def test_a_move_is_refused() -> None:
    reply = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n"
    assert code(EmbedRequest("a.py", "x = 1\n", reply)) == "move"


def test_a_byte_order_mark_is_kept() -> None:
    assert applied(EmbedRequest("a.py", "\ufeffx = 1\r\n", block("x = 1", "x = 2"))) == "\ufeffx = 2\r\n"


def test_a_text_that_no_file_could_hold_is_refused() -> None:
    assert code(EmbedRequest("a.py", "a\ud800\nx = 1\n", block("x = 1", "x = 2"))) == "encoding"


def test_a_new_file() -> None:
    reply = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch\n"
    assert applied(EmbedRequest("a.py", None, reply)) == "x = 1\n"
    assert code(EmbedRequest("a.py", None, block("x = 1", "x = 2"))) == "missing"


def test_a_deletion() -> None:
    result = embed(EmbedRequest("a.py", "x = 1\n", "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"))
    assert (result.deleted, result.content, result.refusal) == (True, None, None)


def test_already_applied() -> None:
    result = embed(EmbedRequest("a.py", "x = 2\n", block("x = 1", "x = 2")))
    assert (result.content, result.rule) == ("x = 2\n", "already in place")


def test_the_rule_is_told() -> None:
    assert embed(EmbedRequest("a.py", "x = 1\n", block("x = 1", "x = 2"))).rule == "exact"


def test_checks_only_on_demand() -> None:
    request = EmbedRequest("a.py", "x = 1\n", block("x = 1", "x = (2"))
    assert applied(request) == "x = (2\n"
    assert code(EmbedRequest("a.py", "x = 1\n", request.response, check=True)) == "syntax"
    assert applied(EmbedRequest("a.py", "x = 1\n", block("x = 1", "x = 2"), check=True)) == "x = 2\n"


def test_nul_characters_are_refused() -> None:
    assert code(EmbedRequest("a.py", "x = 1\n", "x\0")) == "not-text"


@pytest.mark.parametrize(
    "name",
    [
        *("find_replace", "search_replace", "udiff", "v4a", "json", "apply_patch", "old_new_json", "whole_file"),
        *("search_replace_roo", "search_replace_dash"),
    ],
)
def test_formats_are_known_by_their_common_names(name: str) -> None:
    assert code(EmbedRequest("a.py", "x = 1\n", "no edits", name)) == "no-edits"


def test_the_names_in_the_list_are_known_too() -> None:
    for name in FORMATS:
        assert embed(EmbedRequest("a.py", "x = 1\n", "no edits", name)).refusal


def test_the_time_is_measured() -> None:
    assert embed(EmbedRequest("a.py", "x = 1\n" * 10_000, block("x = 1", "x = 2"))).ms > 0


@pytest.mark.parametrize("after", ["caf\u00e9, fr\u00fcher", "cafe, frueher"])
def test_a_stray_byte_is_judged_as_when_the_files_are_written(after: str, tmp_path: Path) -> None:
    """One answer to one edit, whether the file comes as text or lies on the disk."""
    file = tmp_path / "a.txt"
    file.write_bytes("caf\u00e9\n\u00e4\u00f6\u00fc\n".encode() + b"\xff\n")
    original = file.read_bytes().decode("utf-8", "surrogateescape")
    content = applied(EmbedRequest("a.txt", original, block("caf\u00e9", after), check=True))
    land(block("caf\u00e9", after, "a.txt"), Workspace(tmp_path))
    assert content is not None
    assert file.read_bytes() == content.encode("utf-8", "surrogateescape")
