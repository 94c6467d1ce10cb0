"""A file's language follows from its name, and from its first line only where the name says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.engine import languages
from inlay.engine.languages import LANGUAGES
from inlay.model.file import RepoPath


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/a.py", "Python"),
        ("src/A.PY", "Python"),
        ("stubs/a.pyi", "Python"),
        ("package.json", "JSON"),
        ("tsconfig.json", "JSON with comments"),
        ("web/tsconfig.build.json", "JSON with comments"),
        (".vscode/settings.json", "JSON with comments"),
        ("Cargo.lock", "TOML"),
        ("Gemfile", "Ruby"),
        ("a.d.ts", "TypeScript"),
        ("include/a.h", "C or C++ header"),
        (".bashrc", "shell"),
    ],
)
def test_name_or_ending_decides(path: str, name: str) -> None:
    language = languages.of(RepoPath(path))
    assert language is not None
    assert language.name == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#!/bin/sh", "shell"),
        ("#!/usr/bin/env python3", "Python"),
        ("#!/usr/bin/env -S python3.12 -u", "Python"),
        ("#! /usr/bin/env node", "JavaScript"),
        ("#!/usr/local/bin/ruby -w", "Ruby"),
    ],
)
def test_the_shebang_decides_where_there_is_no_ending(line: str, name: str) -> None:
    language = languages.of(RepoPath("bin/tool"), f"{line}\n")
    assert language is not None
    assert language.name == name


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", ""),
        ("LICENSE", "MIT\n"),
        ("bin/tool", "#!/usr/bin/perl\n"),
        ("page.html.erb", ""),
        ("notes.txt", "#!/bin/sh\n"),
        ("app_de.ts", '<?xml version="1.0"?>\n'),
    ],
)
def test_other_files_have_no_language(path: str, text: str) -> None:
    assert languages.of(RepoPath(path), text) is None


@given(text=st.text())
def test_no_text_makes_recognition_raise(text: str) -> None:
    languages.of(RepoPath("bin/tool"), f"#!{text}")


def test_no_name_or_ending_is_claimed_twice() -> None:
    claims = [claim for language in LANGUAGES for claim in (*language.endings, *language.filenames)]
    assert len(claims) == len(set(claims))


def test_wrapping_shifts_no_line() -> None:
    assert not any("\n" in language.wrapping[0] for language in LANGUAGES)


def test_a_language_is_either_read_or_not() -> None:
    from inlay.engine.languages import catalog

    read = {ending for language in catalog.LANGUAGES for ending in language.endings}
    unread = [ending for endings in catalog._UNREAD.values() for ending in endings]
    assert len(unread) == len(set(unread))
    assert not read & set(unread)
    assert not {".md", ".txt", ".rst", ".csv", ".log", ""} & set(unread)
