"""Parsers find the right line, accept sound text and never raise."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inlay.engine import languages
from inlay.engine.languages import LANGUAGES, Language, grammar
from inlay.engine.languages.problem import LONGEST_READ
from inlay.model.file import RepoPath

SNIPPETS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("snippets.toml").read_text())["snippet"]


def language_of(path: str) -> Language:
    language = languages.of(RepoPath(path))
    assert language is not None
    return language


@pytest.fixture(params=SNIPPETS, ids=lambda snippet: snippet["path"])
def snippet(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Each language in turn; those whose grammar is not installed are skipped."""
    found: dict[str, Any] = request.param
    if not languages.is_checked(language_of(found["path"])):
        pytest.skip("grammar not installed")
    return found


def test_sound_text_has_no_errors(snippet: dict[str, Any]) -> None:
    assert languages.syntax_errors(language_of(snippet["path"]), snippet["sound"]) == ()


def test_broken_text_is_found_on_its_line(snippet: dict[str, Any]) -> None:
    problems = languages.syntax_errors(language_of(snippet["path"]), snippet["broken"])
    assert problems
    assert problems[0].line <= snippet["line"] <= max(problems[0].line, problems[0].end_line)
    assert problems[0].message


def test_sound_text_with_carriage_returns_has_no_errors(snippet: dict[str, Any]) -> None:
    assert languages.syntax_errors(language_of(snippet["path"]), snippet["sound"].replace("\n", "\r\n")) == ()


def test_a_byte_order_mark_is_no_error(snippet: dict[str, Any]) -> None:
    assert languages.syntax_errors(language_of(snippet["path"]), "\ufeff" + snippet["sound"]) == ()


def test_every_language_has_a_snippet() -> None:
    assert {language_of(snippet["path"]).name for snippet in SNIPPETS} == {language.name for language in LANGUAGES}


@given(text=st.text(), language=st.sampled_from(LANGUAGES))
@settings(max_examples=400, deadline=None)
def test_no_text_makes_a_parser_raise(text: str, language: Language) -> None:
    for problem in languages.syntax_errors(language, text):
        assert 1 <= problem.line <= text.count("\n") + 1


@pytest.mark.parametrize("path", ["a.py", "a.json", "a.toml", "a.js", "a.yaml", "a.c"])
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "\0", "a = \0", "\udcff", "-" * 100_000 + "1", "(" * 5_000 + ")" * 5_000]
)
def test_hostile_text_does_not_raise(path: str, text: str) -> None:
    languages.syntax_errors(language_of(path), text)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 201 + "1" + ")" * 201,
        "x = " + "-" * 100_000 + "1",
        "x = a" + ".b" * 100_000,
        "".join(" " * depth + "for a in b:\n" for depth in range(21)) + " " * 21 + "pass\n",
        "def f():\n    pass\nreturn 1\n",
    ],
    ids=["brackets", "signs", "attributes", "loops", "return"],
)
def test_what_pythons_compiler_refuses_is_an_error(text: str) -> None:
    (problem,) = languages.syntax_errors(language_of("a.py"), text)
    assert problem.certain


def test_nesting_that_python_compiles_is_sound() -> None:
    assert languages.syntax_errors(language_of("a.py"), "x = " + "(" * 199 + "1" + ")" * 199) == ()


def test_deep_nesting_in_other_languages_is_doubt_and_not_an_error() -> None:
    (problem,) = languages.syntax_errors(language_of("a.json"), "[" * 100_000 + "]" * 100_000)
    assert not problem.certain
    assert "too deeply nested" in problem.message


@pytest.mark.parametrize(("path", "text"), [("a.json", "[\n{}\n]"), ("a.toml", "a = 1\nb = {}\n")])
def test_a_number_too_long_to_convert_is_doubt_and_not_an_error(path: str, text: str) -> None:
    (problem,) = languages.syntax_errors(language_of(path), text.format("9" * 5_000))
    assert (problem.line, problem.certain) == (1, False)
    assert "digits" in problem.message


def test_the_parser_of_shell_is_shown_no_character_that_may_crash_it() -> None:
    """A crash would depend on where the system put the library, so the test looks at what the parser was shown."""
    problems = languages.syntax_errors(language_of("a.sh"), "if {\U0010e58a日本🎉")
    assert problems[0].excerpt == "if {xxxx"


@pytest.mark.parametrize("text", ["echo 'naïve 日本 🎉'\n", "if true; then\n  echo {🎉}\nfi\n", "echo {日..本}\n"])
def test_a_script_may_hold_any_characters(text: str) -> None:
    assert languages.syntax_errors(language_of("a.sh"), text) == ()


def test_a_huge_file_goes_unread() -> None:
    (problem,) = languages.syntax_errors(language_of("a.py"), "#" * (LONGEST_READ + 1))
    assert not problem.certain


def test_a_null_byte_is_reported_on_its_line() -> None:
    (problem,) = languages.syntax_errors(language_of("a.py"), "a = 1\nb = 2\nc\0 = 3\n")
    assert "null" in problem.message


def test_bytes_of_a_legacy_encoding_are_no_error_in_python() -> None:
    assert languages.syntax_errors(language_of("a.py"), "# caf\udce9\nx = 'caf\udce9'\n") == ()


def test_invalid_escapes_stay_quiet_even_when_warnings_are_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert languages.syntax_errors(language_of("a.py"), "x = '\\d'\n") == ()


@pytest.mark.parametrize("text", ["type A = int\n", "def f[T](x: T): ...\n", "x = f'{a['b']}'\n"])
def test_syntax_newer_than_our_python_is_doubt_and_not_an_error(text: str) -> None:
    problems = languages.syntax_errors(language_of("a.py"), text)
    assert [problem.certain for problem in problems] == ([] if sys.version_info >= (3, 12) else [False])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.ts", 'const a = await load<typeof import("ai")>();\nconst b = x as import("y").Z[];\n'),
        ("a.tsx", "const A = styled.div<{ open: boolean }>`\n  color: red;\n`;\n"),
        ("a.tsx", "const a = <p>create & edit files</p>;\n"),
        ("a.css", "a { filter: progid:DXImageTransform.Microsoft.gradient(startColorstr='#fff', GradientType=0); }\n"),
        ("a.js", "// @flow\nfunction f(x: number): string { return String(x); }\n"),
    ],
)
def test_known_gaps_of_grammars_are_bridged(path: str, text: str) -> None:
    assert languages.syntax_errors(language_of(path), text) == ()


def test_rewording_keeps_line_numbers() -> None:
    text = 'const a = load<typeof import(\n  "ai"\n)>();\n}\n'
    assert [problem.line for problem in languages.syntax_errors(language_of("a.ts"), text)] == [4]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.rb", "class A\n  def f\n    x.end\n  end\n  end\nend\n"),
        ("a.sh", "f() {\n  if a; then\n    b\n  fi\n}\nfi\n"),
        ("a.sh", "for a in b; do\n  if [ done ]; then\n    echo fi\n  fi\ndone\ndone\n"),
    ],
)
def test_a_closing_word_too_many_is_found_where_the_grammar_overlooks_it(path: str, text: str) -> None:
    assert [problem.line for problem in languages.syntax_errors(language_of(path), text)] == [6]


def test_a_missing_grammar_leaves_the_language_unchecked() -> None:
    unknown = Language("Nonesuch", (".none",), grammars=("tree_sitter_nonesuch:language",))
    assert not languages.is_checked(unknown)
    assert languages.syntax_errors(unknown, "}}}") == ()


def test_a_grammar_for_another_tree_sitter_leaves_the_language_unchecked() -> None:
    assert grammar._load("math:sqrt") is None


def test_importing_the_package_loads_no_parser() -> None:
    parsers = "('tree_sitter', 'json', 'tomllib')"
    code = f"import sys, inlay.engine.languages; sys.exit(any(name in sys.modules for name in {parsers}))"
    subprocess.run([sys.executable, "-c", code], check=True)
