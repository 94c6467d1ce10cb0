"""Reads strict JSON with the standard library."""

from __future__ import annotations

import json

from inlay.engine.languages.problem import SyntaxProblem, too_deep


def problems(text: str) -> tuple[SyntaxProblem, ...]:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        # The reader's own message counts characters of the whole file; only its first half helps a person.
        start, end = text.rfind("\n", 0, error.pos) + 1, text.find("\n", error.pos)
        excerpt = text[start : end if end >= 0 else len(text)].strip()[:200]
        return (SyntaxProblem(error.lineno, f"{error.msg} (column {error.colno})", excerpt=excerpt),)
    except RecursionError:
        return too_deep()
    except ValueError as error:  # a number with more digits than Python converts
        return (SyntaxProblem(1, str(error), certain=False),)
    return ()
