"""Nothing from a reply or a file may steer the terminal, and colour appears only where it is wanted."""

import io

import pytest

from inlay.cli.output.terminal import Painter, safe, wants_colour


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_colour_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_colour(Terminal())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())


def test_control_characters_become_visible() -> None:
    assert safe("plain ü\tä") == "plain ü\tä"
    assert safe("\x1b[31mred\x07\r") == "␛[31mred␇␍"
    assert safe("a\u202eb\x9bc\udce9") == "a<U+202E>b<U+009B>c<U+DCE9>"


def test_a_painter_paints_safe_text() -> None:
    assert Painter(io.StringIO())("\x1bx", "red", bold=True) == "␛x"
    assert Painter(Terminal())("x", "red") == "\x1b[31mx\x1b[0m"
