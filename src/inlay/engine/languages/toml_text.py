"""Reads TOML with the standard library."""

from __future__ import annotations

import re
import tomllib

from inlay.engine.languages.problem import SyntaxProblem, too_deep

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def problems(text: str) -> tuple[SyntaxProblem, ...]:
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
