"""Reads strict JSON with the standard library."""

from __future__ import annotations

import json

from inlay.engine.languages.problem import SyntaxProblem, too_deep


def problems(text: str) -> tuple[SyntaxProblem, ...]:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        # The reader's own message counts characters of the whole file; only its first half helps a person.
        return (SyntaxProblem(error.lineno, _plainly(error), excerpt=_line(text, error.pos)),)
    except RecursionError:
        return too_deep()
    except ValueError as error:  # a number with more digits than Python converts
        return (SyntaxProblem(1, str(error), certain=False),)
    return ()


def _plainly(error: json.JSONDecodeError) -> str:
    return f"{error.msg} (column {error.colno})"


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text[start : end if end >= 0 else len(text)].strip()[:200]
