"""How a part is capitalised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from inlay.commits.messages.parse_message import CommitMessage, Part
from inlay.commits.messages.rule import Applied, Rule, Violation

_QUOTED = re.compile(r"`.*?`|\".*?\"|'.*?'")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_SCOPES = re.compile(r"[/\\,] ?")
_PARTS: tuple[Part, ...] = ("header", "type", "scope", "subject", "body")


def _camel(text: str) -> str:
    words = _WORD.findall(text)
    return "".join(word.lower() if n == 0 else word.capitalize() for n, word in enumerate(words))


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_CASES: dict[str, Callable[[str], str]] = {
    "lower-case": str.lower,
    "upper-case": str.upper,
    "camel-case": _camel,
    "pascal-case": lambda text: _first_upper(_camel(text)),
    "kebab-case": lambda text: "-".join(_WORD.findall(text)).lower(),
    "snake-case": lambda text: "_".join(_WORD.findall(text)).lower(),
    "sentence-case": _first_upper,
    "start-case": lambda text: " ".join(map(_first_upper, _WORD.findall(text))),
}
_ALIASES = {"lowercase": "lower-case", "uppercase": "upper-case", "sentencecase": "sentence-case"}
CASES = frozenset(_CASES) | frozenset(_ALIASES)


def _is_cased(text: str, case: str) -> bool:
    """Quoted words may be names, so they do not count; what begins with a digit has no case."""
    bare = _QUOTED.sub("", text).strip()
    wanted = _CASES[_ALIASES.get(case, case)](bare)
    return not wanted or wanted[0].isdigit() or wanted == bare


def _find(part: Part, message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    text = message.part(part)
    if not text[:1].isalpha():
        return
    pieces = _SCOPES.split(text) if part == "scope" else [text]
    is_cased = all(any(_is_cased(piece, case) for case in applied.texts) for piece in pieces)
    if is_cased == applied.never:
        explanation = f"The {part} must {'not ' if applied.never else ''}be in {', '.join(applied.texts)}."
        yield Violation(explanation, message.numbered(part)[0][0])


RULES = tuple(
    Rule(f"{part}-case", part, "texts", f"How the {part} is capitalised: {', '.join(_CASES)}.", partial(_find, part),
         ("lower-case",))
    for part in _PARTS
)  # fmt: skip
