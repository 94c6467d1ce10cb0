"""Hidden characters: one definition for terminals, questions, messages and paths."""

import pytest

from inlay.text.visible import is_hidden, spelled_out, without_hidden


@pytest.mark.parametrize(
    "character", ["\x1b", "\u202e", "\u200b", "\u2028", "\u2029", "\udcff", "\U000e0041", "\U000e0fff", "\u2065"]
)
def test_what_does_not_show_is_hidden(character: str) -> None:
    assert is_hidden(character)
    assert without_hidden(f"a{character}b") == "ab"
    assert character not in spelled_out(f"a{character}b")


@pytest.mark.parametrize("character", ["a", " ", "\u00e9", "\u4e2d", "\U0001f600", "\u00a0", "\ue0b0", "\U0001fae8"])
def test_what_shows_stays(character: str) -> None:
    assert not is_hidden(character)
    assert without_hidden(character) == spelled_out(character) == character


def test_line_breaks_stay_where_they_may() -> None:
    assert without_hidden("a\n\tb", "?") == "a\n\tb"
    assert without_hidden("a\n\tb", " ", keep="") == "a  b"
    assert spelled_out("a\n\tb\x7f") == "a\u240a\tb<U+007F>"
