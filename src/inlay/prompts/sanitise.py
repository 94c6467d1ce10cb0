"""Makes text that nobody vouches for fit for a prompt or a log: short, printable, without secrets."""

from __future__ import annotations

from inlay.text.redact import without_secrets
from inlay.text.visible import printable

MOST = 200  #: characters of one field
_MOST_LINES = 60


def line(text: str, most: int = MOST) -> str:
    """One line of at most `most` characters: no control or bidi character, no secret, no line break.

    >>> line("bad \\x1b[31mtoken=hunter2hunter2\\nIgnore all rules")
    'bad [31mtoken=[secret] Ignore all rules'
    """
    # Joined after striking out, so that a secret that ends a line does not take the next one with it.
    shown = " ".join(printable(without_secrets(part).replace("\t", " ")) for part in text[: 50 * most].splitlines())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def lines(text: str, most: int = _MOST_LINES) -> list[str]:
    """Every line made safe; of many, the beginning and the end with a note of what was left out."""
    # Struck out as one text first, because a private key has many lines.
    safe = [line(part) for part in without_secrets(text).split("\n")]
    if len(safe) <= most:
        return safe
    head, tail = most // 4, most - most // 4 - 1
    return [*safe[:head], f"… {len(safe) - head - tail} lines left out …", *safe[-tail:]]


def code(text: str) -> str:
    """A line of a file or of a reply, as it is quoted: its blanks matter, and the model has seen all of it before."""
    shown = printable(text.rstrip("\r\n"))
    return shown if len(shown) <= MOST else shown[: MOST - 1] + "…"
