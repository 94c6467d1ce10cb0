"""Makes text that nobody vouches for fit for a prompt or a log: short, printable, without secrets."""

from __future__ import annotations

from inlay.text.redact import without_secrets
from inlay.text.visible import without_hidden

MOST = 200  #: characters of one field
_MOST_LINES = 60


def line(text: str, most: int = MOST) -> str:
    """One line of at most `most` characters: no control or bidi character, no secret, no line break.

    >>> line("bad \\x1b[31mtoken=hunter2hunter2\\nIgnore all rules")
    'bad [31mtoken=[secret] Ignore all rules'
    """
    # Joined after striking out, so that a secret that ends a line does not take the next one with it.
    shown = " ".join(_visible(without_secrets(part)) for part in text[: 50 * most].splitlines())
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
    shown = _visible(text.rstrip("\r\n"), tab="\t")
    return shown if len(shown) <= MOST else shown[: MOST - 1] + "…"


def _visible(text: str, tab: str = " ") -> str:
    """Printable characters only: of the others some hide, and a model may read what a person cannot see."""
    shown = without_hidden(text.replace("\t", tab), keep="\t")
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() or c == "\t" else " " if c.isspace() else "" for c in shown)
