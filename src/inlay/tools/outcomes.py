"""Outcomes of calls that did not succeed, and JSON that can be sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from inlay.errors import InlayError, Misfit
from inlay.render.error import error_brief, refusal_brief
from inlay.tools.tool import Outcome

if TYPE_CHECKING:
    from inlay.model.pending import Pending

_SURROGATE = re.compile("[\ud800-\udfff]")
_Json = TypeVar("_Json")


def refusal(misfit: Misfit, example: str = "") -> Outcome:
    return Outcome(refusal_brief(misfit, example=example), is_error=True)


def failure(error: InlayError, example: str = "") -> Outcome:
    return Outcome(error_brief(error, example), is_error=True)


def needs_approval(pending: Pending) -> Outcome:
    from inlay.render.pending import pending_brief

    return Outcome(without_surrogates(pending_brief(pending)), is_error=True)


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
