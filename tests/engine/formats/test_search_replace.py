"""SEARCH/REPLACE blocks."""

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import ReplyMalformed, ReplyTruncated
from inlay.model.edit import Block, Create, Edit, Overwrite, Update

BLOCK = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"


def only(reply: str) -> tuple[str | None, Edit]:
    (part,) = read(reply).parts
    assert isinstance(part, Update)
    return part.path, part.edits[0]


@pytest.mark.parametrize(
    ("opening", "divider", "closing"),
    [
        ("<<<<< SEARCH", "=====", ">>>>> REPLACE"),
        ("<<<<<<<<< SEARCH", "=========", ">>>>>>>>> REPLACE"),
        ("<<< SEARCH", "===", ">>> REPLACE"),
        ("<<<<<<< SEARCH>  ", "=======  ", ">>>>>>> REPLACE"),
        ("------- SEARCH", "=======", "+++++++ REPLACE"),
    ],
)
def test_markers_vary(opening: str, divider: str, closing: str) -> None:
    assert only(f"f.py\n{opening}\na\n{divider}\nb\n{closing}\n")[1].variants == (Block(("a",), ("b",)),)


@pytest.mark.parametrize(
    "above",
    [
        "f.py\n",
        "f.py\n```python\n",
        "```python\nf.py\n",
        "### f.py\n\n```py\n",
        "1. **f.py**\n",
        "`f.py`:\n```\n",
        "```python\nf.py\n```\n```python\n",
        "f.py\n<source>python\n",
        "Then change `f.py`:\n",
    ],
)
def test_the_name_is_found_where_models_put_it(above: str) -> None:
    assert only(above + BLOCK)[0] == "f.py"


def test_the_language_of_a_fence_is_no_name() -> None:
    assert only("```php\n" + BLOCK + "```\n")[0] is None


def test_a_block_without_a_name_belongs_to_the_file_before() -> None:
    (part,) = read(f"f.py\n{BLOCK}\nAnd also\n\n{BLOCK}").parts
    assert isinstance(part, Update)
    assert (part.path, [edit.number for edit in part.edits]) == ("f.py", [1, 2])


def test_an_empty_search_makes_a_new_file() -> None:
    reply = "new.md\n<<<<<<< SEARCH\n=======\nTitle\n=======\n\ntext\n>>>>>>> REPLACE\n"
    assert read(reply).parts == (Create("new.md", "Title\n=======\n\ntext\n"),)


def test_line_hints_are_no_content() -> None:
    for hints in (":start_line:12\n-------\n", ":start_line: 12\n:end_line:13\n"):
        edit = only(f"f.py\n<<<<<<< SEARCH\n{hints}a\n=======\nb\n>>>>>>> REPLACE\n")[1]
        assert (edit.line, edit.variants) == (12, (Block(("a",), ("b",)),))


def test_an_escaped_marker_is_content_either_way() -> None:
    edit = only("f.py\n<<<<<<< SEARCH\n\\=======\n=======\nb\n>>>>>>> REPLACE\n")[1]
    assert edit.variants == (Block(("\\=======",), ("b",)), Block(("=======",), ("b",)))


def test_every_line_that_could_divide_gives_a_variant() -> None:
    edit = only("f.md\n<<<<<<< SEARCH\nCHANGES\n=======\nold\n=======\nnew\n>>>>>>> REPLACE\n")[1]
    assert edit.variants == (
        Block(("CHANGES",), ("old", "=======", "new")),
        Block(("CHANGES", "=======", "old"), ("new",)),
    )


def test_underlines_of_another_length_do_not_divide() -> None:
    edit = only("f.md\n<<<<<<< SEARCH\nTitle\n=====\n=======\nTitles\n======\n>>>>>>> REPLACE\n")[1]
    assert edit.variants == (Block(("Title", "====="), ("Titles", "======")),)


def test_a_divider_repeated_above_the_end_is_not_written() -> None:
    edit = only("f.py\n<<<<<<< SEARCH\na\n=======\na much longer line\n=======\n>>>>>>> REPLACE\n")[1]
    assert all("=======" not in variant.replace for variant in edit.variants if isinstance(variant, Block))


def test_merge_conflicts_are_content() -> None:
    conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> branch\n"
    edit = only(f"f.py\n<<<<<<< SEARCH\n{conflict}=======\ny\n>>>>>>> REPLACE\n")[1]
    assert Block(tuple(conflict.splitlines()), ("y",)) in edit.variants


def test_a_fence_round_both_sides_may_be_a_wrapper() -> None:
    edit = only("f.py\n<<<<<<< SEARCH\n```py\na\n```\n=======\n```py\nb\n```\n>>>>>>> REPLACE\n")[1]
    assert edit.variants == (Block(("```py", "a", "```"), ("```py", "b", "```")), Block(("a",), ("b",)))


@pytest.mark.parametrize(
    "reply",
    [
        "f.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n",
        "f.py\n<<<<<<< SEARCH\na\n=======\n:start_line:3\nb\n>>>>>>> REPLACE\n",
        f"f.py\n<<<<<<< SEARCH\na\n{BLOCK}",
        f"{BLOCK}<<<<<<< ORIGINAL\na\nb\n>>>>>>> UPDATED\n",
        f"{BLOCK}<<<<<<< ORIGINAL\na\n=======\nb\n=======\nc\n>>>>>>> UPDATED\n",
        f"{BLOCK}<<<<<<< ORIGINAL\na\n=======\nb\n<<<<<<< ORIGINAL\nc\n=======\nd\n>>>>>>> UPDATED\n",
        f"{BLOCK}<<<<<<< theirs\n=======\nb\n>>>>>>> ours\n",
        f"{BLOCK}<search>\n\n</search>\n<replace>\nb\n</replace>\n",
        "f.py\n<<<<<<< SEARCH\na\n" + "=======\nx\n" * 40 + ">>>>>>> REPLACE\n",
    ],
)
def test_broken_markup_is_refused(reply: str) -> None:
    with pytest.raises(ReplyMalformed):
        read(reply)


@pytest.mark.parametrize(
    "opening", ["<<<<<<< SEARCH", "  <<<<<<< SEARCH", "<<<<<<< search", "<<<<<<< SEARCH  >", "< < < < < SEARCH"]
)
@pytest.mark.parametrize("close", [">>>>>>> REPLACE", ">>>>>>> replace", "> > > > > > > REPLACE", ">>>>>>> UPDATED"])
def test_markers_may_be_written_in_another_way(opening: str, close: str) -> None:
    assert only(f"f.py\n{opening}\na\n=======\nb\n{close}\n")[1].variants == (Block(("a",), ("b",)),)


@pytest.mark.parametrize(
    ("opening", "close"),
    [
        ("<<<<<<< ORIGINAL", ">>>>>>> UPDATED"),
        ("<<<<<<< HEAD", ">>>>>>> feature/x"),
        ("<<<<<<< something", ">>>>>>> else"),
        (">>>>>>> SEARCH", "<<<<<<< REPLACE"),
        ("<<<<<", ">>>>> REPLACE"),
    ],
)
def test_the_first_side_is_the_files_unless_the_words_say_otherwise(opening: str, close: str) -> None:
    if opening == "<<<<<":
        opening += " OLD"
    assert only(f"f.py\n{opening}\na\n=======\nb\n{close}\n")[1].variants == (Block(("a",), ("b",)),)


def test_words_may_say_that_the_second_side_is_the_files() -> None:
    reply = "f.py\n<<<<<<< UPDATED\nb\n=======\na\n>>>>>>> ORIGINAL\n"
    assert only(reply)[1].variants == (Block(("a",), ("b",)),)


def test_a_base_section_is_another_reading_of_the_files_side() -> None:
    reply = "f.py\n<<<<<<< HEAD\na\n||||||| base\nc\n=======\nb\n>>>>>>> x\n"
    assert only(reply)[1].variants == (Block(("a",), ("b",)), Block(("c",), ("b",)))


def test_a_block_in_a_list_item_may_be_indented() -> None:
    reply = "   f.py\n   <<<<<<< SEARCH\n   a\n     c\n   =======\n   b\n   >>>>>>> REPLACE\n"
    assert only(reply)[1].variants == (Block(("   a", "     c"), ("   b",)), Block(("a", "  c"), ("b",)))


@pytest.mark.parametrize("tags", [("search", "replace"), ("find", "replace"), ("old", "new"), ("SEARCH", "REPLACE")])
@pytest.mark.parametrize("around", ["f.py\n{}\n", "```\nf.py\n{}\n```\n", "<edit>\n<path>f.py</path>\n{}\n</edit>\n"])
def test_elements_may_stand_for_markers(tags: tuple[str, str], around: str) -> None:
    old, new = tags
    path, edit = only(around.format(f"<{old}>\na\n</{old}>\n<{new}>\nb\nc\n</{new}>"))
    assert (path, edit.variants) == ("f.py", (Block(("a",), ("b", "c")),))


def test_an_element_that_nothing_replaces_is_content() -> None:
    (part,) = read("a.html\n```html\n<search>\n<form></form>\n</search>\n```\n").parts
    assert isinstance(part, Overwrite)


@pytest.mark.parametrize(
    "cut",
    [
        "<<<<<<< SEARCH\nc\n",
        "<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPL",
        "<search>\nc\n</search>\n<replace>\nd\n",
    ],
)
def test_a_missing_end_means_that_the_reply_was_cut_off(cut: str) -> None:
    with pytest.raises(ReplyTruncated, match=r"1 edit before that complete: f.py"):
        read(f"f.py\n{BLOCK}\nf.py\n{cut}")


def test_the_prompt_teaches_what_is_read() -> None:
    assert only(FORMATS["search_replace"].prompt)[0] == "src/prices.py"


def test_a_doubled_divider_puts_nothing_in_or_ends_an_underlined_heading() -> None:
    (edit,) = read("f.py\n<<<<<<< SEARCH\na\n=======\n=======\n>>>>>>> REPLACE\n").parts[0].edits  # type: ignore[union-attr]
    assert edit.variants == (Block(("a",), ()), Block(("a", "======="), ()))


@pytest.mark.parametrize("below", ["```\n", "\nThat is all.\n"])
def test_a_second_divider_may_stand_for_the_closing_marker(below: str) -> None:
    (edit,) = read(f"f.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n=======\n{below}").parts[0].edits  # type: ignore[union-attr]
    assert edit.variants == (Block(("a",), ("b",)),)


def test_a_second_divider_at_the_very_end_is_a_reply_cut_off() -> None:
    with pytest.raises(ReplyTruncated):
        read("f.py\n<<<<<<< SEARCH\na\n=======\nb\n=======")
