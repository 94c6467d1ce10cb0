"""A message as git stores it: without comments, scissors and surplus blanks."""

from __future__ import annotations

_SCISSORS = "------------------------ >8 ------------------------"
_CANDIDATES = "#;@!$%^&|:"  # in the order in which git tries them


def cleaned(text: str, comment: str = "#") -> str:
    """What `git commit` would keep of an edited message; `comment` is core.commentChar, or "auto"."""
    lines = text.replace("\r\n", "\n").split("\n")
    mark = _guessed(lines) if comment == "auto" else comment
    kept: list[str] = []
    for line in lines:
        if mark and line.startswith(mark):
            if line[len(mark) :].strip() == _SCISSORS:
                break
            continue
        stripped = line.rstrip(" \t\n\r\f\v")
        if stripped or (kept and kept[-1]):
            kept.append(stripped)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept) + "\n" if kept else ""


def tidied(text: str) -> str:
    """A message that a person or a model wrote, with blanks as git leaves them; `#` begins no comment here."""
    return cleaned(text, "")


def _guessed(lines: list[str]) -> str:
    """The character that git chose for its comments: it begins no line of the message, so they come last."""
    mark = next((line for line in reversed(lines) if line.strip()), "")[:1]
    is_comment = mark and mark in _CANDIDATES and sum(line.startswith(mark) for line in lines) > 1
    return mark if is_comment else "#"
