"""Marks such as `...` or `// existing code` that stand for lines kept as they are."""

from __future__ import annotations

import re

from inlay.model.edit import Op
from inlay.text.lines import BLANKS

_LONGEST_MARK = 120
_STARTS = frozenset("#/<{(-;%\"'")
_LEADER = re.compile(r"(?:\#+|//+|/\*+|<!--|\{/\*|\(\*|--|;+|%+|\"\"\"|''')\s*")
_CLOSER = re.compile(r"\s*(?:\*+/\}?|-->|\*\)|\"\"\"|''')$")
_DOTS = re.compile(r"\.{3,}|\u2026")
_WORD = re.compile(r"[a-z]+")
_KEYS = frozenset("rest remaining remainder existing unchanged same previous omitted snip snipped other".split())
_FILLERS = frozenset(
    "the all of your keep and is are as stays stay remains remain from in this here for brevity before above below to "
    "code file function functions method methods class classes implementation import imports line lines content body "
    "module document section logic test tests field fields property properties rule rules style styles config "
    "configuration component components script table rows items entries".split()
)
# Without dots only a comment that says nothing else counts.
_PHRASE = re.compile(
    r"(?:the |all |your |keep )?(?:rest|remainder|remaining|existing)(?: of)?(?: the| this| your)? "
    r"(?:code|file|functions?|methods?|class|implementation|content|module|logic|imports?|tests)(?: here)?"
    r"(?: remains?| stays?| is| are)?(?: unchanged| the same| as before| as is)?"
    r"|unchanged(?: code)?(?: here| below| above)?"
)


def is_mark(line: str) -> bool:
    """Whether a line says "and so on" rather than something of its own."""
    core = line.strip(BLANKS)
    if not core or len(core) > _LONGEST_MARK or (core[0] not in _STARTS and "..." not in core and "\u2026" not in core):
        return False
    leader = _LEADER.match(core)
    inner = _CLOSER.sub("", core[leader.end() :] if leader else core)
    dotted = bool(_DOTS.search(inner))
    words = _WORD.findall(inner.lower())
    if re.sub(r"[\w\s()\[\]:,.\u2026-]", "", inner):
        return False
    if not words:
        return dotted and not re.search(r"\w", inner)
    if not (set(words) & _KEYS and set(words) <= _KEYS | _FILLERS):
        return False
    if dotted:
        return leader is not None or inner[0] in "([" or bool(_DOTS.match(inner))
    return leader is not None and _PHRASE.fullmatch(" ".join(words)) is not None


def pieces(ops: tuple[Op, ...]) -> list[tuple[Op, ...]] | None:
    """The stretches of an edit between its marks; None where a mark is not simply kept."""
    out: list[list[Op]] = [[]]
    for kind, text in ops:
        if not is_mark(text):
            out[-1].append((kind, text))
        elif kind == " ":
            out.append([])
        else:
            return None
    return [tuple(piece) for piece in out if piece] if len(out) > 1 else None


def is_changed(ops: tuple[Op, ...]) -> bool:
    """Whether a stretch changes anything."""
    return any(kind != " " for kind, _ in ops)
