"""The wanted text begins or ends in mid-line: it must stand in the file letter by letter."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.engine.matching.probe import MOST_PLACES
from inlay.text.lines import Source

NAME = "part of a line"
_LINES_A_PLACE = 20  # as costly to compare as one place is to edit


@dataclass(frozen=True, slots=True)
class Fragment:
    """Whole lines of the file, and what becomes of them when the text within is replaced."""

    first: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def find(source: Source, find: tuple[str, ...], replace: tuple[str, ...], most: int = MOST_PLACES) -> list[Fragment]:
    """Runs of lines that hold the text, with all its occurrences there replaced; at most so many runs."""
    norm, text, new = source.norm, "\n".join(find), "\n".join(replace)
    found: list[Fragment] = []
    at = source.find(text) if text.strip() else -1
    while at >= 0 and len(found) < most:
        start, end = norm.rfind("\n", 0, at) + 1, _line_end(norm, at + len(text))
        # Occurrences that share a line are replaced together; text without a break cannot leave its line.
        at = norm.find(text, at + len(text)) if "\n" in text else norm.find(text, end)
        while 0 <= at < end:
            end = _line_end(norm, at + len(text))
            at = norm.find(text, at + len(text))
        source.work.spend(lines=_LINES_A_PLACE)
        old = norm[start:end]
        found.append(Fragment(source.line_at(start), tuple(old.split("\n")), tuple(old.replace(text, new).split("\n"))))
    return found


def _line_end(norm: str, at: int) -> int:
    end = norm.find("\n", at)
    return len(norm) if end < 0 else end


def is_safe(source: Source, found: Fragment, find: tuple[str, ...], replace: tuple[str, ...]) -> bool:
    """Whether replacing the text would not write again what stands around it on its lines.

    A FIND cut in mid-line beside a REPLACE that goes on to the line's end would double the rest of the line.
    """
    norm, text = source.norm, "\n".join(find)
    at = norm.find(text, source.offset(found.first))
    head = norm[norm.rfind("\n", 0, at) + 1 : at].strip()
    tail = norm[at + len(text) : _line_end(norm, at + len(text))].strip()
    first, last = (replace[0].strip(), replace[-1].strip()) if replace else ("", "")
    if head and first.startswith(head) and not find[0].strip().startswith(head):
        return False
    # What REPLACE adds above or below the whole of FIND belongs above or below the line, not inside it.
    size = len(find)
    if len(replace) > size and ((tail and replace[:size] == find) or (head and replace[-size:] == find)):
        return False
    if tail and last.endswith(tail) and not find[-1].strip().endswith(tail):
        return False
    inside_head = bool(head) and f"_{norm[at - 1]}{text[0]}".isidentifier()
    inside_tail = bool(tail) and f"_{text[-1]}{norm[at + len(text)]}".isidentifier()
    # A phrase may be cut anywhere; of a lone word, or of several lines, a cut within a word is a slip of the model,
    # safe only where both sides go on from the same cut.
    is_phrase = len(find) == 1 and not f"_{text}".isidentifier()
    same_head = is_phrase or (bool(replace) and replace[0] == find[0])
    same_tail = is_phrase or (bool(replace) and replace[-1] == find[-1])
    return (not inside_head or same_head) and (not inside_tail or same_tail)
