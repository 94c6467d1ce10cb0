"""The difference a person reads must be the difference there is."""

from hypothesis import given
from hypothesis import strategies as st

from inlay.text.diff import compare

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=30)
ENDINGS = st.sampled_from(["\n", "\r\n"])


def rebuilt(before: str, after: str) -> tuple[list[str], list[str]]:
    """Old and new lines of the hunks, as the diff tells them."""
    told = list(compare(before, after))
    return [line.text for line in told if line.kind in " -"], [line.text for line in told if line.kind in " +"]


@given(LINES, LINES, ENDINGS)
def test_property_every_line_that_differs_is_told(old: list[str], new: list[str], ending: str) -> None:
    before, after = ("".join(line + ending for line in lines) for lines in (old, new))
    told = list(compare(before, after))
    assert (told == []) == (old == new)
    removed, added = (sum(line.kind == kind for line in told) for kind in "-+")
    assert len(old) - removed == len(new) - added
    # Hunks are runs of the real texts: walk them by the line numbers in their headers.
    at_old = at_new = 0
    for line in told:
        if line.kind == "@":
            at_old, at_new = (abs(int(span.split(",")[0])) for span in line.text.split()[1:3])
            at_old, at_new = (n - 1 if n else 0 for n in (at_old, at_new))
            spans = line.text.split()[1:3]
            at_old += 1 if spans[0].endswith(",0") and spans[0] != "-0,0" else 0
            at_new += 1 if spans[1].endswith(",0") and spans[1] != "+0,0" else 0
        if line.kind in " -":
            assert old[at_old] == line.text
            at_old += 1
        if line.kind in " +":
            assert new[at_new] == line.text
            at_new += 1


def test_changes_far_apart_make_two_hunks() -> None:
    lines = [f"line {n}\n" for n in range(100)]
    changed = [*lines[:10], "new\n", *lines[11:80], *lines[81:]]
    headers = [line.text for line in compare("".join(lines), "".join(changed)) if line.kind == "@"]
    assert headers == ["@@ -8,7 +8,7 @@", "@@ -78,7 +78,6 @@"]


def test_a_million_lines_with_two_changes_are_quick() -> None:
    lines = [f"line {n}\n" for n in range(300_000)]
    changed = [*lines]
    changed[5], changed[-5] = "new\n", "new too\n"
    told = list(compare("".join(lines), "".join(changed)))
    assert [line.text for line in told if line.kind == "+"] == ["new", "new too"]


def test_what_differs_throughout_is_one_block() -> None:
    before, after = ("".join(f"{word} {n}\n" for n in range(600)) for word in ("old", "new"))
    told = list(compare(before, after))
    assert told[0].text == "@@ -1,600 +1,600 @@"
    assert [line.kind for line in told[1:]] == ["-"] * 600 + ["+"] * 600


def test_a_missing_final_newline_is_told() -> None:
    assert [line.kind for line in compare("a\nb", "a\nb\n")] == ["@", " ", "-", "\\", "+"]


def test_line_ends_show_only_where_they_are_news() -> None:
    assert rebuilt("a\r\nb\r\n", "a\r\nc\r\n") == (["a", "b"], ["a", "c"])
    assert rebuilt("a\r\nb\r\n", "a\nb\r\n") == (["a\r", "b\r"], ["a", "b\r"])
    assert rebuilt("a\rb\r", "a\rc\r") == (["a\r", "b\r"], ["a\r", "c\r"])


def test_new_and_emptied_files() -> None:
    assert [line.text for line in compare("", "x\n")] == ["@@ -0,0 +1 @@", "x"]
    assert [line.text for line in compare("x\n", "")] == ["@@ -1 +0,0 @@", "x"]
