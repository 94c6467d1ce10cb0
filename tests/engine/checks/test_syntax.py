"""An edit answers for the errors it brings in, and for no others."""

from __future__ import annotations

import random
import sysconfig
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inlay.engine import languages
from inlay.model.file import RepoPath
from inlay.model.finding import Finding

Look = Callable[..., tuple[Finding, ...]]
_SNIPPETS = Path(__file__).parent.parent / "languages" / "snippets.toml"
SNIPPETS: list[dict[str, Any]] = tomllib.loads(_SNIPPETS.read_text())["snippet"]


@pytest.fixture(params=SNIPPETS, ids=lambda snippet: snippet["path"])
def snippet(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    language = languages.of(RepoPath(found["path"]))
    assert language is not None
    if not languages.is_checked(language):
        pytest.skip("grammar not installed")
    return found


def test_sound_text_brings_no_finding(look: Look, snippet: dict[str, Any]) -> None:
    assert look(snippet["path"], None, snippet["sound"]) == ()


def test_an_edit_that_breaks_a_file_is_found(look: Look, snippet: dict[str, Any]) -> None:
    first = look(snippet["path"], snippet["sound"], snippet["broken"])[0]
    assert first.code == "syntax"
    told = (f"(noticed at line {snippet['line']})", "(in lines 1 to ")
    assert first.line == snippet["line"] or any(place in first.message for place in told)


@pytest.mark.parametrize("path", ["a.js", "a.ts", "a.go", "a.rs", "A.java", "a.c", "a.kt", "a.cs", "a.php", "a.scala"])
def test_the_finding_points_at_the_line_that_the_edit_brought_in(look: Look, path: str) -> None:
    sound: str = next(snippet for snippet in SNIPPETS if snippet["path"] == path)["sound"]
    head = "<?php\n" if path == "a.php" else "package a\n" if path == "a.go" else ""
    whole = head + sound.removeprefix(head) * 20
    lines = whole.split("\n")
    middle = len(lines) // 2
    first = look(path, whole, "\n".join([*lines[:middle], ")))", *lines[middle:]]))[0]
    assert (first.severity, first.line) == ("error", middle + 1)


def test_a_file_that_was_broken_before_is_not_blamed_on_the_edit(look: Look, snippet: dict[str, Any]) -> None:
    assert look(snippet["path"], snippet["broken"], snippet["broken"] + "\n") == ()


def test_mending_a_file_brings_no_finding(look: Look, snippet: dict[str, Any]) -> None:
    assert look(snippet["path"], snippet["broken"], snippet["sound"]) == ()


@pytest.mark.parametrize("path", ["a.py", "a.json", "a.toml", "a.yaml", "a.go", "a.js", "a.rs", "A.java", "a.sh"])
def test_breaking_a_sound_file_is_an_error(look: Look, path: str) -> None:
    snippet = next(snippet for snippet in SNIPPETS if snippet["path"] == path)
    assert {finding.severity for finding in look(path, snippet["sound"], snippet["broken"])} == {"error"}


def test_a_repeated_closing_brace_is_an_error_in_every_brace_language(look: Look) -> None:
    for path in ("a.c", "a.cpp", "a.h", "a.cs", "a.php", "a.css"):
        snippet = next(snippet for snippet in SNIPPETS if snippet["path"] == path)
        found = look(path, snippet["sound"], snippet["sound"] + "}\n")
        assert [finding.severity for finding in found] == ["error"], path


@pytest.mark.parametrize(
    ("path", "before", "line"),
    [
        ("a.rb", "class A\n  def f\n    x\n  end\n\n  def g\n    y\n  end\nend\n", "  end\n"),
        ("A.java", "class A {\n  int f() {\n    x();\n  }\n\n  int g() {\n    y();\n  }\n}\n", "  }\n"),
    ],
)
def test_a_repeated_closing_line_is_found_where_it_was_repeated(look: Look, path: str, before: str, line: str) -> None:
    found = look(path, before, before.replace(line, line * 2, 1))
    assert {(finding.severity, finding.line) for finding in found} == {("error", 5)}


def test_a_macro_the_grammar_does_not_know_is_only_a_warning(look: Look) -> None:
    before = "void f(void) {\n  g();\n}\n"
    found = look("a.c", before, "void f(void) {\n  each_item(i, x) {\n    g();\n  }\n}\n")
    assert {finding.severity for finding in found} <= {"warning"}


def test_a_second_fault_in_a_broken_file_is_an_error_when_it_upsets_the_brackets(look: Look) -> None:
    before = "function f() {\n  y(;\n}\n\nfunction g() {\n  z();\n}\n"
    found = look("a.js", before, before + "}\n")
    assert [(finding.severity, finding.line) for finding in found] == [("error", 8)]


def test_another_fault_in_broken_python_is_at_most_a_warning(look: Look) -> None:
    found = look("a.py", "print 'x'\n", "x = 1\ndef f(:\n")
    assert [(finding.severity, finding.line) for finding in found] == [("warning", 2)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("page.html", '<p class="{{ a | date: "%Y" }}">x</p>\n<%= }\n'),
        ("chart.yaml", "{{- if .Values.a }}\na: 1\n{{- end }}\n"),
        ("site.css", "---\n---\na { color: red; }\n"),
        ("a.h", "OP(A, B)\nOP(C, D)\n@interface X : Y\n"),
    ],
)
def test_new_files_of_templates_and_dialects_are_warned_about_at_most(look: Look, path: str, text: str) -> None:
    assert {finding.severity for finding in look(path, None, text)} <= {"warning"}


def test_a_new_broken_file_is_an_error(look: Look) -> None:
    (finding,) = look("a.py", None, "def f(:\n    pass\n")
    assert (finding.severity, finding.line) == ("error", 1)


def test_nesting_that_python_refuses_is_an_error(look: Look) -> None:
    (finding,) = look("a.py", None, "x = " + "(" * 201 + "1" + ")" * 201)
    assert finding.severity == "error"


def test_nesting_that_exhausts_another_parser_is_a_warning(look: Look) -> None:
    (finding,) = look("a.json", None, "[" * 100_000 + "]" * 100_000)
    assert finding.severity == "warning"


def test_only_the_first_few_problems_of_a_file_are_told(look: Look) -> None:
    assert len(look("a.js", None, "}\nfoo(\n" * 50)) <= 3


def test_files_of_no_known_language_are_passed_over(look: Look) -> None:
    assert look("notes.md", None, "}}} (((\n") == ()


def test_the_standard_library_has_no_findings_but_on_files_broken_on_purpose(look: Look) -> None:
    root = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in root.glob("*/*.py") if "test" not in path.as_posix().removeprefix(str(root)))
    for path in random.Random(7).sample(files, min(60, len(files))):
        text = path.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        assert look(f"lib/{path.name}", None, text) == (), path
