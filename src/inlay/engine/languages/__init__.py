"""What language a file is written in, and what its parser cannot read; parsers load on first use."""

from inlay.engine.languages.catalog import LANGUAGES, Language, of
from inlay.engine.languages.parsers import is_checked, missing_parser, syntax_errors
from inlay.engine.languages.problem import SyntaxProblem

__all__ = ["LANGUAGES", "Language", "SyntaxProblem", "is_checked", "missing_parser", "of", "syntax_errors"]
