"""The wanted text begins or ends in mid-line: it must stand in the file letter by letter."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.matching.source import Source

NAME = "part of a line"
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Fragment:
    """Whole lines of the file, and what becomes of them when the text within is replaced."""

    first: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def find(source: Source, find: tuple[str, ...], replace: tuple[str, ...]) -> list[Fragment]:
    """Every run of lines that holds the text, with all its occurrences there replaced."""
    norm, text, new = source.norm, "\n".join(find), "\n".join(replace)
    if not text.strip():
        return []
    found: list[tuple[int, int, str]] = []
    at = norm.find(text)
    for _ in range(_MOST):
        if at < 0:
            break
        start, end = norm.rfind("\n", 0, at) + 1, norm.find("\n", at + len(text))
        end = len(norm) if end < 0 else end
        if found and start < found[-1][1]:
            before = found.pop()
            shift = len(before[2]) - (before[1] - before[0])
            lines = before[2] + norm[before[1] : end]
            cut = at - before[0] + shift
            found.append((before[0], end, lines[:cut] + new + lines[cut + len(text) :]))
        else:
            found.append((start, end, norm[start:at] + new + norm[at + len(text) : end]))
        at = norm.find(text, at + len(text))
    return [Fragment(source.line_at(s), tuple(norm[s:e].split("\n")), tuple(n.split("\n"))) for s, e, n in found]


def is_safe(source: Source, find: tuple[str, ...], replace: tuple[str, ...]) -> bool:
    """Whether replacing the text would not write again what stands around it on its lines.

    A FIND cut in mid-line beside a REPLACE that goes on to the line's end would double the rest of the line.
    """
    norm, text = source.norm, "\n".join(find)
    at = norm.find(text)
    head = norm[norm.rfind("\n", 0, at) + 1 : at].strip()
    end = norm.find("\n", at + len(text))
    tail = norm[at + len(text) : end if end >= 0 else len(norm)].strip()
    first, last = (replace[0].strip(), replace[-1].strip()) if replace else ("", "")
    if head and first.startswith(head) and not find[0].strip().startswith(head):
        return False
    if tail and last.endswith(tail) and not find[-1].strip().endswith(tail):
        return False
    inside_head = bool(head) and (norm[at - 1] + text[0]).isidentifier() and norm[at - 1] not in " \t"
    inside_tail = bool(tail) and f"_{text[-1]}{norm[at + len(text)]}".isidentifier()
    # A cut through a word is a slip of the model, safe only where both sides go on from the same cut.
    same_head = bool(replace) and replace[0] == find[0]
    same_tail = bool(replace) and replace[-1] == find[-1]
    return (not inside_head or same_head or len(find) == 1) and (not inside_tail or same_tail or len(find) == 1)
