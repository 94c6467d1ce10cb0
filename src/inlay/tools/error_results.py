"""Failures as a model reads them: what is wrong, where, and what to do, in a few hundred words at most."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

from inlay.errors import InlayError, Misfit, Nearest, ReplyRejected
from inlay.tools.tool import Outcome

_LONGEST_MESSAGE = 600
_MOST_LINES = 12
_WIDEST_LINE = 160
_MOST_CANDIDATES = 40
_MOST_OTHERS = 8
_LARGEST = 4000  # characters of JSON; what helps no more than this is not read
_SURROGATE = re.compile("[\ud800-\udfff]")
_ADVICE = {
    "stale": "Read the file again and send the call anew.",
    "log-damaged": "Tell the person; only they can look at the log.",
    "unknown-receipt": "The tool history lists the changes there are.",
}


def failed(misfit: Misfit, *others: Misfit, example: str = "") -> Outcome:
    """A refusal with its reasons."""
    told: dict[str, Any] = {
        "kind": "patch_error",
        "code": misfit.code,
        "message": shortened(misfit.message, _LONGEST_MESSAGE),
        "advice": misfit.advice,
        "path": shortened(misfit.path, _WIDEST_LINE),
        "edit": misfit.edit,
        "candidates": list(misfit.candidates[:_MOST_CANDIDATES]),
        "nearest": _nearest(misfit.nearest) if misfit.nearest else None,
        "others": [_other(other) for other in others[:_MOST_OTHERS]],
        "example": example,
    }
    always = ("kind", "code", "message", "candidates", "nearest", "example")
    return Outcome(fitting({key: value for key, value in told.items() if value or key in always}), is_error=True)


def of(error: InlayError, example: str = "") -> Outcome:
    """What a failure of ours says to a model."""
    if isinstance(error, ReplyRejected) and error.misfits:
        return failed(*error.misfits, example=example)
    return failed(Misfit(error.code, str(error), _ADVICE.get(error.code, "Tell the person what happened.")))


def _nearest(nearest: Nearest) -> dict[str, Any]:
    """The file's lines beside the call's, from just above the first that differs."""
    first = max(0, min(nearest.differing, default=0) - 2)
    shown = slice(first, first + _MOST_LINES)
    return {
        "line": nearest.line + first,
        "found": [shortened(line, _WIDEST_LINE) for line in nearest.found[shown]],
        "wanted": [shortened(line, _WIDEST_LINE) for line in nearest.wanted[shown]],
    }


def _other(misfit: Misfit) -> dict[str, Any]:
    told = {key: value for key, value in asdict(misfit).items() if key in ("code", "path", "edit") and value}
    return {**told, "message": shortened(misfit.message, _WIDEST_LINE)}


def fitting(told: dict[str, Any]) -> dict[str, Any]:
    """The same, with the least useful left out until it is short enough."""
    for key in ("others", "nearest", "candidates", "example", "advice"):
        if len(json.dumps(told)) <= _LARGEST:
            break
        told = {**told, key: type(told[key])() if told.get(key) else told.get(key)} if key in told else told
    return told


def shortened(text: str, most: int) -> str:
    """The text, cut where it is too long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def clean(value: Any) -> Any:
    """The same JSON without lone surrogates, which stand for bytes that are no text and which no wire carries."""
    match value:
        case str():
            return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
        case dict():
            return {clean(key): clean(inner) for key, inner in value.items()}
        case list() | tuple():
            return [clean(inner) for inner in value]
        case _:
            return value
