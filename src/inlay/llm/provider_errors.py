"""Turns whatever goes wrong while a model is asked into one ProviderFailure, classified once, without any key."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Iterable, Mapping

from inlay.errors import FailureKind, ProviderFailure
from inlay.text.redact import redact, without_keys
from inlay.text.visible import without_hidden

_LONGEST = 300  # characters of what a provider said
_TRANSIENT = frozenset({408, 409, 425, 499})
_OVERLOADED = 529
_ADVICE = {
    401: "the key was not accepted",
    403: "the key may not use this model",
    404: "there is no such model there",
    413: "the prompt is too long for this provider",
}


def from_status(
    who: str, status: int, body: str, headers: Mapping[str, str], secrets: Iterable[str] = ()
) -> ProviderFailure:
    """A failure that came with a status of HTTP."""
    advice = f" ({_ADVICE[status]})" if status in _ADVICE else ""
    text = clean(body, secrets)
    message = f"{who} answered {status}{advice}" + (f": {text}" if text else "")
    return ProviderFailure(message, kind_of(status), status=status, retry_after=retry_after(headers))


def from_text(who: str, text: str, kind: FailureKind, secrets: Iterable[str] = ()) -> ProviderFailure:
    """A failure without a status: a connection, a stream, an answer that cannot be read."""
    return ProviderFailure(f"{who}: {clean(text, secrets)}", kind)


def kind_of(status: int) -> FailureKind:
    """What a status of HTTP means for trying again."""
    if status == 429:
        return "rate-limit"
    if status == _OVERLOADED:
        return "overloaded"
    return "transient" if status >= 500 or status in _TRANSIENT else "permanent"


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait as a provider asks for them: as a number or as a date."""
    low = {name.lower(): value.strip() for name, value in headers.items()}
    if _number(low.get("retry-after-ms")) is not None:
        return float(low["retry-after-ms"]) / 1000
    asked = low.get("retry-after")
    if asked is None or _number(asked) is not None:
        return _number(asked)
    try:
        moment = email.utils.parsedate_to_datetime(asked).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\d{1,9}(\.\d+)?", text) else None


def clean(text: str, secrets: Iterable[str] = ()) -> str:
    """One short line without secrets: neither the keys in use, nor anything that looks like one."""
    line = " ".join(redact(" ".join(without_hidden(without_keys(text, secrets), " ", keep="").split())).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def said_in(body: object) -> str:
    """The sentence in the body of an error, in whichever of the usual shapes it comes."""
    if isinstance(body, bytes):
        return said_in(body.decode("utf-8", "replace"))
    if isinstance(body, str):
        try:
            parsed = json.loads(body)
        except ValueError:
            return re.sub(r"<[^>]*>", " ", body)  # a page of a proxy
        return said_in(parsed) if isinstance(parsed, Mapping) else body
    if isinstance(body, Mapping):
        for name in ("error", "message", "detail"):
            if body.get(name):
                return said_in(body[name])
    return "" if body is None else str(body)
