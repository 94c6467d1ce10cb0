"""What must not be left in a file, and what looks like it but may stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inlay.model.finding import Finding

Look = Callable[..., tuple[Finding, ...]]


def _codes(found: tuple[Finding, ...]) -> list[tuple[str, str, int]]:
    return [(finding.code, finding.severity, finding.line) for finding in found]


@pytest.mark.parametrize(
    "line",
    [
        "// ... existing code ...",
        "    // ...existing code...",
        "# rest of the code unchanged",
        "# ... rest of the implementation remains the same",
        "<!-- rest of file unchanged -->",
        "-- ... remaining columns ...",
        "{/* ... rest of the component ... */}",
        "# Rest of code unchanged...",
        "// The rest of the file stays the same",
        "// existing code here",
        "[rest of the file unchanged]",
        "... existing code ...",
        "    }  // ... rest of the function unchanged",
        "// (remaining methods omitted for brevity)",
        "{# ... existing markup ... #}",
    ],
)
def test_a_placeholder_is_an_error(look: Look, line: str) -> None:
    assert _codes(look("a.xyz", "a\nb\n", f"a\n{line}\nb\n")) == [("elided", "error", 2)]


@pytest.mark.parametrize("line", ["/* ... */", "# ...", "// …", "# ... and the rest"])
def test_dots_that_an_edit_adds_are_only_a_warning(look: Look, line: str) -> None:
    assert _codes(look("a.xyz", "a\nb\n", f"a\n{line}\nb\n")) == [("elided", "warning", 2)]
    assert _codes(look("a.xyz", "a\nb\n", f"a\n{line}\nb\n", is_located=False)) == [("elided", "error", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "...",
        "    ...",
        "# This keeps the existing code path alive while the new one is tested",
        "# Read the rest of the file in one go",
        "const { a, ...rest } = props;",
        "  ...existing,",
        ">>> for x in y:  # doctest",
        "... rest = x",
        "# existing users keep their password",
        "// The original file",
        "raise NotImplementedError  # TODO ...",
        "# same as above",
        "// [[[ ... ]]]",
        "//     ...",
        "// ...otherwise concatenate the existing values and this value.",
        "//   ... indicates several values for the previous argument",
        "foo(bar, ...)",
        "def f(self) -> None: ...",
        "print('...')",
    ],
)
def test_ordinary_lines_are_no_placeholders(look: Look, line: str) -> None:
    assert _codes(look("a.xyz", "a\nb\n", f"a\n{line}\nb\n")) == []


def test_a_bare_ellipsis_in_python_is_code(look: Look) -> None:
    assert look("a.pyi", "", "class A:\n    ...\n") == ()


def test_a_placeholder_that_was_there_before_may_stay_and_be_indented(look: Look) -> None:
    assert look("a.xyz", "a\n# ...\n", "b\n    # ...\n") == ()


def test_a_second_placeholder_is_found(look: Look) -> None:
    assert _codes(look("a.xyz", "a\n# ...\n", "a\n# ...\nb\n# ...\n")) == [("elided", "warning", 4)]


def test_shortened_code_in_a_manual_is_only_a_warning(look: Look) -> None:
    assert _codes(look("README.md", None, "```js\n// ...\n```\n")) == [("elided", "warning", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< HEAD",
        "||||||| base",
        ">>>>>>> 0ed641a",
        "<<<<<<<",
        ">>>>>>>",
        "<<<<<<< SEARCH",
        "    <<<<<<< SEARCH",
        "<<<<< SEARCH",
        ">>>>>>> REPLACE",
        "------- SEARCH",
        "+++++++ REPLACE",
        "<<<<<<< search",
        ">>>>>>> SEARCH",
        "<<<<<<< ORIGINAL",
        ">>>>>>> UPDATED",
        "< < < < < < < SEARCH",
        "> > > > > > > REPLACE",
    ],
)
def test_a_leftover_marker_is_an_error(look: Look, line: str) -> None:
    assert _codes(look("a.xyz", "a\n", f"a\n{line}\n")) == [("conflict-marker", "error", 2)]


def test_a_divider_counts_between_its_neighbours(look: Look) -> None:
    found = look("a.xyz", "a\n", "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n")
    assert _codes(found) == [("conflict-marker", "error", line) for line in (2, 4, 6)]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\n",
        "a\n=======\nb\n",
        "cout << x;\n",
        ">>>>>> quoted\n",
        "-------\n",
        "> > > > > > > quoted\n",
        "<<<<<<<x\n",
    ],
)
def test_underlines_and_the_like_are_no_markers(look: Look, text: str) -> None:
    assert look("a.rst", "", text) == ()


def test_markers_that_were_there_before_are_not_blamed_on_the_edit(look: Look) -> None:
    conflict = "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
    assert look("a.xyz", conflict, f"new\n{conflict}") == ()


@pytest.mark.parametrize(
    "character", [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\u2060"]
)
def test_an_invisible_character_is_an_error_that_names_it(look: Look, character: str) -> None:
    (finding,) = look("a.xyz", "a\n", f"a\nb {character}c\n")
    assert (finding.code, finding.severity, finding.line) == ("bidi", "error", 2)
    assert f"U+{ord(character):04X}" in finding.message


@pytest.mark.parametrize("text", ["a\u200db", "a\u200cb", "x\ufeffy", "hi\U000e0041"])
def test_joiners_marks_and_tags_within_latin_text_are_errors(look: Look, text: str) -> None:
    assert [finding.code for finding in look("a.xyz", None, f"{text}\n")] == ["bidi"]


@pytest.mark.parametrize(
    "text",
    ["\ufeffa", "क्\u200dष", "می\u200cخواهم", "👩\u200d💻", "\U0001f3f4\U000e0067\U000e0062\U000e007f", "naïve"],
)
def test_honest_uses_of_invisible_characters_are_passed_over(look: Look, text: str) -> None:
    assert look("a.xyz", None, f"{text}\n") == ()


def test_a_changed_line_may_keep_its_invisible_character(look: Look) -> None:
    assert look("a.xyz", "a\u200fb = 1\n", "a\u200fb = 2\n") == ()


def test_a_file_about_markers_may_get_more_of_them(look: Look) -> None:
    conflict = "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
    assert look("a.xyz", conflict, f"{conflict}text\n<<<<<<< left\nb\n=======\nc\n>>>>>>> right\n") == ()
    assert _codes(look("a.xyz", conflict, f"{conflict}text\n<<<<<<< left\n")) == [("conflict-marker", "error", 7)]
