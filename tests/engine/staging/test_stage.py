"""The front door of staging: whole files, encodings and collisions."""

from __future__ import annotations

import pytest

from inlay.engine.staging import stage
from inlay.errors import EditsRefused
from inlay.model.edit import Block, Create, Delete, Edit, Overwrite, Part, Reading, Update
from inlay.model.file import File, RepoPath, Snapshot


def staged(files: dict[str, str | bytes], *parts: Part) -> dict[str, bytes | None]:
    changes = stage(Reading("x", parts), Snapshot.of(files)).changes
    return {str(change.target): change.content for change in changes}


def codes(files: dict[str, str | bytes], *parts: Part) -> list[str]:
    with pytest.raises(EditsRefused) as caught:
        staged(files, *parts)
    return [misfit.code for misfit in caught.value.misfits]


def replacing(path: str | None, find: str, new: str, move_to: str | None = None) -> Update:
    return Update(path, (Edit(1, (Block((find,), (new,)),)),), move_to)


def test_new_text_beyond_ascii_is_refused_in_a_file_of_unknown_encoding() -> None:
    legacy = "caf\xe9\nend\n".encode("cp1252")
    assert codes({"a": legacy}, replacing("a", "end", "fin é")) == ["encoding"]
    assert staged({"a": legacy}, replacing("a", "end", "fin")) == {"a": legacy.replace(b"end", b"fin")}


def test_a_stray_byte_in_a_file_of_utf8_is_no_hindrance() -> None:
    mostly = "é ü ö ß\nend\n".encode() + b"\xe9\n"
    assert staged({"a": mostly}, replacing("a", "end", "fin é")) == {"a": mostly.replace(b"end", "fin é".encode())}


def test_a_character_that_utf16_cannot_hold_is_refused() -> None:
    file = "\ufeffa\n".encode("utf-16-le")
    assert codes({"a": file}, replacing("a", "a", "b\ud800")) == ["encoding"]


def test_every_part_tells_what_is_wrong_with_it() -> None:
    parts = (replacing(None, "a", "b"), replacing("gone", "a", "b"), Delete("gone"), Create("a", "new\n"))
    assert codes({"a": "old\n"}, *parts) == ["no-path", "missing", "missing", "exists"]


def test_one_file_written_twice_is_refused() -> None:
    assert codes({"a": "x\n"}, replacing("a", "x", "y"), Overwrite("a", "z\n")) == ["named-twice"]


def test_nothing_moves_onto_a_file_that_is_there() -> None:
    assert codes({"a": "x\n", "b": "y\n"}, replacing("a", "x", "z", "b")) == ["exists"]
    assert staged({"a": "x\n"}, replacing("a", "x", "z", "a")) == {"a": b"z\n"}


def test_edits_of_one_file_given_in_several_parts_are_located_together() -> None:
    assert staged({"a": "x\ny\n"}, replacing("a", "x", "1"), replacing("a", "y", "2")) == {"a": b"1\n2\n"}


@pytest.mark.parametrize("lines", [("a", "b"), None])
def test_a_file_goes_if_it_is_what_the_reply_takes_it_for(lines: tuple[str, ...] | None) -> None:
    assert staged({"a": "a \nb\n"}, Delete("a", lines)) == {"a": None}


def test_a_file_with_other_lines_stays() -> None:
    assert codes({"a": "a\nb\n"}, Delete("a", ("a", "c"))) == ["not-found"]


def test_a_whole_file_takes_the_line_ends_and_the_final_newline_of_the_old_one() -> None:
    assert staged({"a": "x\r\ny"}, Overwrite("a", "x\nz\n")) == {"a": b"x\r\nz"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("a\n// ... existing code ...\n", "elided"),
        ("".join(f"line {n}\n" for n in range(20)) + "</tool_call>\n", "tool-tag"),
        ("It works now.\n", "summary"),
    ],
)
def test_what_is_no_file_is_not_written_over_one(content: str, code: str) -> None:
    assert codes({"a": "".join(f"line {n}\n" for n in range(20))}, Overwrite("a", content)) == [code]


def test_a_file_that_is_no_text_cannot_be_made_up() -> None:
    with pytest.raises(ValueError, match="not text"):
        File.of("a", b"\0")
    assert File.of("a", "\ufeffx").encoding.bom
    assert RepoPath("dir/a.PY").suffix == ".py"
