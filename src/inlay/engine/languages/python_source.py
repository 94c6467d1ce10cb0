"""Reads Python with the interpreter's own parser and compiler."""

from __future__ import annotations

import ast
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from inlay.engine.languages.problem import SyntaxProblem

# catch_warnings swaps a global list: two threads inside it at once could leave the filters changed for good.
_ONE_AT_A_TIME = threading.Lock()

_EXCEPT_WITHOUT_PARENTHESES = re.compile(r"\s*except\*?\s+[\w.]+\s*,")
_TYPE_PARAMETERS = re.compile(r"\s*(?:(?:async\s+)?def|class)\s+\w+\s*\[|\s*type\s+\w+\s*(?:=|\[)")
_FORMATTED_STRING = re.compile(r"\b(?:f|rf|fr)['\"]", re.IGNORECASE)
_TEMPLATE_STRING = re.compile(r"\b(?:t|rt|tr)['\"]", re.IGNORECASE)

#: Syntax that came with a version: the project may run on a newer Python than we do.
_NEWER = (
    ((3, 12), _TYPE_PARAMETERS),
    ((3, 12), _FORMATTED_STRING),
    ((3, 14), _EXCEPT_WITHOUT_PARENTHESES),
    ((3, 14), _TEMPLATE_STRING),
)


def problems(text: str) -> tuple[SyntaxProblem, ...]:
    """The one error at which Python's compiler stops, if there is one."""
    try:
        with _silent():
            compile(_readable(text), "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        return (_described(error, text),)
    except ValueError as error:  # null bytes, before Python learned to call them a SyntaxError
        return (SyntaxProblem(text.count("\n", 0, max(text.find("\0"), 0)) + 1, str(error)),)
    except (RecursionError, MemoryError):
        # Python would not run the file either, so the limit is the language's and not that of a check.
        return (SyntaxProblem(1, "too deeply nested for Python's compiler"),)
    return ()


def tree(text: str) -> ast.Module:
    """The text as Python reads it; raises what `ast.parse` raises, and never warns."""
    with _silent():
        return ast.parse(_readable(text))


@contextmanager
def _silent() -> Iterator[None]:
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _readable(text: str) -> str:
    """The text with a character for each lone surrogate, which stands for a byte that the parser cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _described(error: SyntaxError, text: str) -> SyntaxProblem:
    lines = text.split("\n")
    number = min(max(error.lineno or 1, 1), len(lines))
    excerpt = lines[number - 1].strip()
    in_formatted = error.msg.startswith("f-string") and sys.version_info < (3, 12)
    if in_formatted or any(sys.version_info[:2] < since and syntax.search(excerpt) for since, syntax in _NEWER):
        version = ".".join(map(str, sys.version_info[:2]))
        message = f"{error.msg} (as Python {version} reads it; a newer Python may accept it)"
        return SyntaxProblem(number, message, excerpt=excerpt, certain=False)
    return SyntaxProblem(number, error.msg, end_line=error.end_lineno or 0, excerpt=excerpt)
