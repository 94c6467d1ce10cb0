"""What language a file is written in, and what its parser cannot read; parsers load on first use."""

from __future__ import annotations

from typing import assert_never

from inlay.engine.languages.catalog import Language
from inlay.engine.languages.problem import SyntaxProblem, too_large


def syntax_errors(language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    """Every place its parser stumbles over; empty for sound text, and for a language that is not checked here."""
    if large := too_large(text):
        return large
    # Empty files are the usual placeholder in every language, data formats included.
    if not text.strip():
        return ()
    return _read(language, text.removeprefix("\ufeff"))


def is_checked(language: Language) -> bool:
    """Whether its parser is at hand; grammars come with the extra `langs`."""
    if language.reader != "tree-sitter":
        return True
    from inlay.engine.languages import grammar

    return grammar.installed(language)


def _read(language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    match language.reader:
        case "python":
            from inlay.engine.languages import python_source

            return python_source.problems(text)
        case "json":
            from inlay.engine.languages import json_text

            return json_text.problems(text)
        case "toml":
            from inlay.engine.languages import toml_text

            return toml_text.problems(text)
        case "tree-sitter":
            from inlay.engine.languages import grammar

            return grammar.problems(language, text)
        case _:
            assert_never(language.reader)
