"""Finds the few lines of a file where a block could stand, at the speed of `str.find`."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.text.lines import BLANKS, Source

MOST_PLACES = 1000  #: places after which a block is simply too common
_MOST_LINES = 200_000  # in all places together, so that long repetitive blocks stay cheap to refuse
_FEW = 64  # hits that may be looked at one by one before a rarer line is tried
_MOST_HITS = 20_000


def most_places(lines: tuple[str, ...]) -> int:
    """How many places of a block are worth listing."""
    return max(2, min(MOST_PLACES, _MOST_LINES // max(1, len(lines))))


def exact_offsets(norm: str, lines: tuple[str, ...]) -> list[int]:
    """Where the lines stand letter by letter, whole lines only; overlapping places count."""
    block = "\n".join(lines)
    if not norm or (not block and len(lines) != 1):
        return []
    size, found = len(block), []
    # What follows the final newline is no blank line, so a block that ends in one cannot end there.
    at_end = bool(lines[-1])
    if norm.startswith(block) and (at_end if len(norm) == size else norm[size] == "\n"):
        found.append(0)
    inner, at = f"\n{block}\n", -1
    most = most_places(lines)
    while len(found) < most and (at := norm.find(inner, at + 1)) >= 0:
        found.append(at + 1)
    tail = len(norm) - size
    if at_end and tail > 0 and norm.endswith(block) and norm[tail - 1] == "\n":
        found.append(tail)
    return found


def hits(source: Source, lines: tuple[str, ...]) -> tuple[int, list[int]] | None:
    """The rarest wanted line and the offsets where it begins in the file, its outer blanks ignored.

    None when some wanted line is nowhere in the file, so that no rule which keeps words can fit.
    """
    if lines not in source._hits:
        source._hits[lines] = _rarest(source.norm, lines)
    return source._hits[lines]


def _rarest(norm: str, lines: tuple[str, ...]) -> tuple[int, list[int]] | None:
    cores = {core: n for n, line in enumerate(lines) if (core := line.strip(BLANKS))}
    by_length = sorted(cores, key=len, reverse=True)
    for core in by_length[:4]:
        found = whole_lines(norm, core, _FEW)
        if not found:
            return None
        if len(found) < _FEW:
            return cores[core], found
    if not by_length:
        return None
    rarest = min(by_length, key=norm.count)
    return cores[rarest], whole_lines(norm, rarest, _MOST_HITS)


def whole_lines(norm: str, core: str, most: int) -> list[int]:
    """Offsets of the lines that consist of `core` and blanks around it, at most `most` of them."""
    found: list[int] = []
    at = norm.find(core)
    while at >= 0 and len(found) < most:
        start, end = norm.rfind("\n", 0, at) + 1, norm.find("\n", at)
        end = len(norm) if end < 0 else end
        # A line can be `core` only once, so the search goes on in the next one.
        if norm[start:end].strip(BLANKS) == core:
            found.append(start)
        at = norm.find(core, max(end, at + 1))
    return found


def lines_from(norm: str, start: int) -> Iterator[tuple[int, str]]:
    """Lines downwards from the one at offset `start`, each with its offset."""
    while start < len(norm):
        end = norm.find("\n", start)
        end = len(norm) if end < 0 else end
        yield start, norm[start:end]
        start = end + 1


def lines_before(norm: str, start: int) -> Iterator[tuple[int, str]]:
    """Lines upwards from the one before offset `start`, each with its offset."""
    while start > 0:
        end = start - 1
        start = norm.rfind("\n", 0, end) + 1
        yield start, norm[start:end]
