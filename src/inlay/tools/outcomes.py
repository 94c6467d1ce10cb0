"""Failures as outcomes, and JSON that every wire can carry."""

from __future__ import annotations

import re
from typing import TypeVar

from inlay.errors import InlayError, Misfit
from inlay.render.error import error_brief, refusal_brief
from inlay.tools.tool import Outcome

_SURROGATE = re.compile("[\ud800-\udfff]")
_Json = TypeVar("_Json")


def refusal(misfit: Misfit, example: str = "") -> Outcome:
    """The outcome of a call that was refused."""
    return Outcome(refusal_brief(misfit, example=example), is_error=True)


def failure(error: InlayError, example: str = "") -> Outcome:
    """The outcome of a call that raised."""
    return Outcome(error_brief(error, example), is_error=True)


def without_surrogates(value: _Json) -> _Json:
    """The same JSON without lone surrogates, which stand for bytes that are not text."""
    plain: object = value
    match value:
        case str():
            plain = value if value.isascii() else _SURROGATE.sub("\ufffd", value)
        case dict():
            plain = {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
        case list() | tuple():
            plain = [without_surrogates(item) for item in value]
    return plain  # type: ignore[return-value]
