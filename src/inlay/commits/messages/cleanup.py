"""A message file as git would take it: comments, scissors and surplus blanks away."""

from __future__ import annotations

from collections import Counter

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
    return _ended(kept)


def tidied(text: str) -> str:
    """A message that a person or a model wrote, with blanks as git leaves them; a `#` is content here."""
    return cleaned(text, "")


def _ended(lines: list[str]) -> str:
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""


def _guessed(lines: list[str]) -> str:
    """The character that git chose for its comments: the one its own instructions at the end begin with.

    git takes the first candidate that begins no line of the message, so the comments come last.
    """
    said = next((line for line in reversed(lines) if line.strip()), "")
    opening = said[:1]
    counted = Counter(line[:1] for line in lines)
    return opening if opening in _CANDIDATES and opening and counted[opening] > 1 else "#"
