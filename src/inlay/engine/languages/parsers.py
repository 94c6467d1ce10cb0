"""What language a file is written in, and what its parser cannot read; parsers load on first use."""

from __future__ import annotations

from typing import assert_never

from inlay.engine.languages import catalog
from inlay.engine.languages.catalog import Language
from inlay.engine.languages.problem import LONGEST_READ, SyntaxProblem
from inlay.model.file import RepoPath


def syntax_errors(language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    """Every place its parser stumbles over; empty for sound text, and for a language that is not checked here."""
    if len(text) > LONGEST_READ:
        return (SyntaxProblem(1, "too large to check", certain=False),)
    # Empty files are the usual placeholder in every language, data formats included.
    return _read(language, text.removeprefix("\ufeff")) if text.strip() else ()


def is_checked(language: Language) -> bool:
    """Whether its parser is at hand; grammars come with the extra `langs`."""
    if language.reader != "tree-sitter":
        return True
    from inlay.engine.languages import grammar

    return grammar.installed(language)


def missing_parser(path: RepoPath, text: str) -> str | None:
    """Why a file in a known language is not checked, in a few words; None where it is, or the language is not known."""
    language = catalog.of(path, text)
    if language is not None:
        return None if is_checked(language) else f"no parser for {language.name}; install inlay[langs]"
    name = catalog.unread(path)
    return f"no parser for {name}" if name else None


def _read(language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    match language.reader:
        case "python":
            from inlay.engine.languages import python_source

            return python_source.problems(text)
        case "json":
            from inlay.engine.languages import data_text

            return data_text.json_problems(text)
        case "toml":
            from inlay.engine.languages import data_text

            return data_text.toml_problems(text)
        case "tree-sitter":
            from inlay.engine.languages import grammar

            return grammar.problems(language, text)
        case _:
            assert_never(language.reader)
