"""Edits as JSON objects."""

import json
from typing import Any

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import NoEditsFound, ReplyMalformed, ReplyTruncated
from inlay.model.edit import Block, Create, Edit, Splice, Update

AB = (Block(("a",), ("b",)),)


def only(value: Any) -> Edit:
    (part,) = read(value if isinstance(value, str) else json.dumps(value)).parts
    assert isinstance(part, Update)
    (edit,) = part.edits
    return edit


@pytest.mark.parametrize("path", ["path", "file_path", "filePath", "target_file"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("old_string", "new_string"),
        ("old_str", "new_str"),
        ("oldText", "newText"),
        ("search", "replace"),
        ("find", "replace"),
    ],
)
def test_keys_go_by_many_names(path: str, old: str, new: str) -> None:
    assert read(json.dumps({path: "f.py", old: "a", new: "b"})).parts == (Update("f.py", (Edit(1, AB),)),)


@pytest.mark.parametrize("key", ["file", "filename", "filepath"])
def test_paths_go_by_rarer_names(key: str) -> None:
    assert read(json.dumps({key: "f.py", "old_string": "a", "new_string": "b"})).parts[0].path == "f.py"


@pytest.mark.parametrize("key", ["old_text", "oldString", "oldStr", "old"])
def test_old_texts_go_by_rarer_names(key: str) -> None:
    assert only({"path": "f", key: "a", "newText": "b"}).variants == AB


@pytest.mark.parametrize("key", ["new_text", "newString", "newStr", "new", "replacement", "insert_text"])
def test_new_texts_go_by_rarer_names(key: str) -> None:
    assert only({"path": "f", "oldText": "a", key: "b"}).variants == AB


@pytest.mark.parametrize("key", ["description", "explanation", "instruction", "instructions", "reason"])
def test_remarks_stand_beside_an_edit_and_beside_a_list_of_them(key: str) -> None:
    edit = {"oldText": "a", "newText": "b"}
    assert only({"path": "f", **edit, key: "why"}).variants == AB
    assert only({"path": "f", "edits": [edit], key: "why"}).variants == AB
    assert only({"path": "f", **edit, key: "why"}).description == ("why" if key == "description" else "")


@pytest.mark.parametrize("key", ["arguments", "args", "input", "parameters", "function", "tool_input"])
def test_calls_hand_over_by_many_names(key: str) -> None:
    assert only({"name": "edit", key: {"path": "f", "oldText": "a", "newText": "b"}}).variants == AB


def test_a_range_is_a_hint_beside_an_old_text() -> None:
    edit = {"range": {"start": 3, "end": 3}, "oldText": "a", "newText": "b"}
    assert only({"path": "f", "edits": [edit]}) == Edit(1, AB, line=3)
    assert only({"path": "f", "edits": [{**edit, "range": {"start": 0, "end": 0}}]}) == Edit(1, AB)


def test_a_range_alone_replaces_lines() -> None:
    for span, splice in (((3, 4), Splice(3, 4, ("b",))), ((3, 2), Splice(3, 2, ("b",)))):
        edit = {"range": dict(zip(("start", "end"), span, strict=True)), "newText": "b\n"}
        assert only({"path": "f", "edits": [edit]}).variants == (splice,)


@pytest.mark.parametrize("wrap", [lambda edit: edit, lambda edit: [edit], lambda edit: json.dumps([edit])])
def test_edits_come_as_list_object_or_string(wrap: Any) -> None:
    assert only({"path": "f", "edits": wrap({"old_string": "a", "new_string": "b"})}).variants == AB


@pytest.mark.parametrize(
    ("old", "new", "variants"),
    [
        ("a\n", "b\n", AB),
        ("a", "", (Block(("a",), ("",)),)),
        ("a\n", "", (Block(("a",), ()),)),
        ("a\r\nb", "c\rd", (Block(("a", "b"), ("c", "d")),)),
        ("a", "b\n", (Block(("a",), ("b", "")),)),
        ("a\n", "b", (Block(("a",), ("b",)), Block(("a", ""), ("b",)))),
    ],
)
def test_texts_become_whole_lines(old: str, new: str, variants: tuple[Block, ...]) -> None:
    assert only({"path": "f", "old_string": old, "new_string": new}).variants == variants


def test_an_empty_new_text_removes_the_lines_of_a_range() -> None:
    edit = {"range": {"start": 1, "end": 1}, "oldText": "a", "newText": ""}
    assert only({"path": "f", "edits": [edit]}).variants == (Block(("a",), ()),)


@pytest.mark.parametrize(("end", "find"), [(1, ("a",)), (2, ("a", ""))])
def test_the_range_tells_whether_a_break_at_the_end_is_a_blank_line(end: int, find: tuple[str, ...]) -> None:
    edit = {"range": {"start": 1, "end": end}, "oldText": "a\n", "newText": "b"}
    assert only({"path": "f", "edits": [edit]}).variants == (Block(find, ("b",)),)


@pytest.mark.parametrize("key", ["replace_all", "replaceAll", "allow_multiple"])
def test_every_occurrence_can_be_asked_for(key: str) -> None:
    assert only({"path": "f", "old_string": "a", "new_string": "b", key: True}).everywhere
    assert not only({"path": "f", "old_string": "a", "new_string": "b", key: False}).everywhere


def test_an_empty_old_text_makes_a_new_file() -> None:
    assert read('{"path": "n", "old_string": "", "new_string": "x\\ny"}').parts == (Create("n", "x\ny"),)


def test_the_text_editor_tool_is_understood() -> None:
    assert only({"command": "str_replace", "path": "f", "old_str": "a", "new_str": "b"}).variants == AB
    assert only({"command": "insert", "path": "f", "insert_line": 2, "new_str": "b"}).variants == (
        Splice(3, 2, ("b",)),
    )
    assert read('{"command": "create", "path": "n", "file_text": "x"}').parts == (Create("n", "x"),)


@pytest.mark.parametrize(
    "template",
    [
        "%s",
        "```json\n%s\n```\n",
        "Sure, here it is:\n\n%s\n\nDone.",
        '<tool_call>\n{"name": "edit", "arguments": %s}\n</tool_call>',
        '{"type": "function", "function": {"name": "edit", "arguments": %s}}',
        "<tool_call>%s</tool_call>",
        "edit(%s)",
        "[%s]",
    ],
)
def test_tool_calls_fences_and_prose_are_taken_off(template: str) -> None:
    assert only(template % '{"path": "f", "old_string": "a", "new_string": "b"}').variants == AB


def test_arguments_may_be_a_string() -> None:
    inner = json.dumps({"path": "f", "old_string": "a", "new_string": "b"})
    assert only({"name": "edit", "arguments": inner}).variants == AB


def test_several_objects_are_several_files() -> None:
    one, two = ({"path": path, "old_string": "a", "new_string": "b"} for path in ("f", "g"))
    for reply in (
        json.dumps([one, two]),
        f"{json.dumps(one)}\n{json.dumps(two)}",
        f"{json.dumps(one)}, {json.dumps(two)}",
    ):
        assert [part.path for part in read(reply).parts] == ["f", "g"]


def test_trailing_commas_and_raw_line_breaks_are_tolerated() -> None:
    edit = only('{"path": "f", "edits": [{"oldText": "a,]\n\tb", "newText": "c",},],}')
    assert edit.variants == (Block(("a,]", "\tb"), ("c",)),)


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        ({"path": "f", "old_string": "a", "new_string": "b", "frob": 1}, "frob"),
        ({"path": "f", "edits": [{"oldText": "a", "newText": "b", "frob": 1}]}, "frob"),
        ({"path": "f", "edits": [{"oldText": "a", "newText": "b"}], "old_string": "a"}, "old_string"),
        ({"path": "f", "content": "x"}, "content"),
        ({"path": "f", "old_string": "a"}, "newText"),
        ({"path": "f", "old_string": 1, "new_string": "b"}, "old_string"),
        ({"path": "f", "old_string": "a", "old_str": "c", "new_string": "b"}, "old_str"),
        ({"path": "f", "edits": [{"range": {"start": "x", "end": 2}, "newText": "b"}]}, "line number"),
        ({"path": "f", "edits": [{"range": {"start": 1}, "newText": "b"}]}, "range"),
        ({"path": "f", "edits": [{"range": {"start": 0, "end": 0}, "newText": "b"}]}, "neither"),
        ({"path": "f", "edits": []}, "edits"),
        ({"command": "undo_edit", "path": "f", "old_str": "a"}, "undo_edit"),
        ('{"path": "f", "old_string": "a", "old_string": "b", "new_string": "c"}', "twice"),
        ('{"path": "f", "old_string": "a" "new_string": "c"}', "JSON"),
    ],
)
def test_what_is_not_understood_is_named(reply: Any, named: str) -> None:
    with pytest.raises(ReplyMalformed, match=named):
        read(reply if isinstance(reply, str) else json.dumps(reply))


def test_open_json_is_never_mended_but_its_complete_edits_are_listed() -> None:
    whole = json.dumps({"path": "f", "edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "d"}]})
    for cut in range(whole.index('"edits"') + 8, len(whole)):
        with pytest.raises(ReplyTruncated):
            read(whole[:cut])
    with pytest.raises(ReplyTruncated, match="1 edit before that complete: f"):
        read(whole[:-8])


def test_an_edit_is_found_by_any_key_without_a_path() -> None:
    assert only({"insert_line": 2, "new_str": "b"}).variants == (Splice(3, 2, ("b",)),)
    assert only({"range": [1, 2], "new": "b"}).variants == (Splice(1, 2, ("b",)),)
    for key in ("oldText", "old_text", "old_string", "oldString", "old_str", "oldStr", "old", "search", "find"):
        assert only({key: "a", "new": "b"}).variants == AB


TELLING = [
    *("edits", "oldText", "old_text", "old_string", "oldString", "old_str", "oldStr", "old", "search"),
    *("newText", "new_text", "new_string", "newString", "new_str", "newStr", "new", "file_text", "insert_line"),
]


@pytest.mark.parametrize("key", TELLING)
def test_one_key_tells_that_broken_json_was_to_be_an_edit(key: str) -> None:
    with pytest.raises(ReplyTruncated):
        read(f'{{"path": "f", "{key}": "a')
    with pytest.raises(ReplyMalformed, match="cannot be read"):
        read(f'{{"path": "f" "{key}": "a"}}')


@pytest.mark.parametrize("key", ["find", "replace", "range", "path"])
def test_a_common_word_does_not_make_broken_json_an_edit(key: str) -> None:
    with pytest.raises(NoEditsFound):
        read(f'{{"name": "f" "{key}": "a"}}')


@pytest.mark.parametrize(
    "reply", ['{"a": 1}', "{", '{"search": true}', '```json\n{"name": "x"}\n```', "[1, 2]", '{"path": "/usr"}']
)
def test_other_json_is_no_edit(reply: str) -> None:
    with pytest.raises(NoEditsFound):
        read(reply)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ReplyMalformed, match="too deep"):
        read('{"edits": ' * 5000)


def test_the_prompt_teaches_what_is_read() -> None:
    assert only(FORMATS["json_edits"].prompt).line == 12
