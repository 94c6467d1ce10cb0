"""Reads strict JSON and TOML with the standard library."""

from __future__ import annotations

import json
import re
import tomllib

from inlay.engine.languages.problem import SyntaxProblem, too_deep

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def json_problems(text: str) -> tuple[SyntaxProblem, ...]:
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


def toml_problems(text: str) -> tuple[SyntaxProblem, ...]:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # Only the message tells the line; the end of the document is its last line.
        lines, place = text.split("\n"), _PLACE.search(str(error))
        number = int(place[1]) if place and place[1] else len(lines)
        number = min(max(number, 1), len(lines))
        return (SyntaxProblem(number, _PLACE.sub("", str(error)), excerpt=lines[number - 1].strip()[:200]),)
    except RecursionError:
        return too_deep()
    except ValueError as error:  # a number with more digits than Python converts
        return (SyntaxProblem(1, str(error), certain=False),)
    return ()
