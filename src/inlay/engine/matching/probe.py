"""Finds the few lines of a file where a block could stand, at the speed of `str.find`."""

from __future__ import annotations

from collections.abc import Iterator

from inlay.text.lines import BLANKS, Source

MOST_PLACES = 1000  #: places after which a block is simply too common
_MOST_LINES = 200_000  # in all places together, so that long repetitive blocks stay cheap to refuse
_LETTERS_A_CORE = 500  # as costly to search as one line of the block is to strip
FEW = 64  #: hits that are looked at one by one


def most_places(lines: tuple[str, ...]) -> int:
    """How many places of a block are worth listing."""
    return max(2, min(MOST_PLACES, _MOST_LINES // max(1, len(lines))))


def exact_offsets(source: Source, lines: tuple[str, ...]) -> list[int]:
    """Where the lines stand letter by letter, whole lines only; overlapping places count."""
    norm, block = source.norm, "\n".join(lines)
    if not norm or (not block and len(lines) != 1):
        return []
    if source.is_indexed and (found := _looked_up(source, lines, block)) is not None:
        return found
    size, found = len(block), []
    # What follows the final newline is no blank line, so a block that ends in one cannot end there.
    at_end = bool(lines[-1])
    if norm.startswith(block) and (at_end if len(norm) == size else norm[size] == "\n"):
        found.append(0)
    inner, at = f"\n{block}\n", -1
    most = most_places(lines)
    while len(found) < most and (at := norm.find(inner, at + 1)) >= 0:
        found.append(at + 1)
    source.work.spend(letters=len(norm) if at < 0 else at)
    tail = len(norm) - size
    if at_end and tail > 0 and norm.endswith(block) and norm[tail - 1] == "\n":
        found.append(tail)
    return found


def _looked_up(source: Source, lines: tuple[str, ...], block: str) -> list[int] | None:
    """The same by the index of lines; None where all of the block's lines are too common for it."""
    if (rarest := hits(source, lines)) is None:
        return [] if any(line.strip(BLANKS) for line in lines) else None
    probe, offsets = rarest
    if len(offsets) >= FEW:
        return None
    norm, found = source.norm, []
    for at in offsets:
        first = source.line_at(at) - probe
        start = source.offset(max(0, first))
        end = start + len(block)
        if first >= 0 and norm.startswith(block, start) and (norm[end] == "\n" if end < len(norm) else bool(lines[-1])):
            found.append(start)
    return found


def hits(source: Source, lines: tuple[str, ...]) -> tuple[int, list[int]] | None:
    """A rare one of the wanted lines and the offsets where it begins in the file, its outer blanks ignored.

    None when some wanted line is nowhere in the file, so that no rule which keeps words can fit. No more than FEW
    offsets: where there are as many, there may be more.
    """
    if lines not in source._hits:
        source._hits[lines] = _rarest(source, lines)
    return source._hits[lines]


def _rarest(source: Source, lines: tuple[str, ...]) -> tuple[int, list[int]] | None:
    source.work.spend(letters=_LETTERS_A_CORE * len(lines))
    cores = {core: n for n, line in enumerate(lines) if (core := line.strip(BLANKS))}
    if not cores:
        return None
    if source.is_indexed:
        rare = min(cores, key=lambda core: (len(source.where.get(core, ())), core))
        found = [source.offset(n) for n in source.where.get(rare, ())[:FEW]]
        return (cores[rare], found) if found else None
    found = []
    for core in sorted(cores, key=len, reverse=True)[:4]:
        found = whole_lines(source, core, FEW)
        if len(found) < FEW:
            return (cores[core], found) if found else None
    return cores[core], found


def whole_lines(source: Source, core: str, most: int) -> list[int]:
    """Offsets of the lines that consist of `core` and blanks around it, at most `most` of them."""
    if source.is_indexed:
        return [source.offset(n) for n in source.where.get(core, ())[:most]]
    norm, found = source.norm, list[int]()
    at = norm.find(core)
    while at >= 0 and len(found) < most:
        start, end = norm.rfind("\n", 0, at) + 1, norm.find("\n", at)
        end = len(norm) if end < 0 else end
        # A line can be `core` only once, so the search goes on in the next one.
        if norm[start:end].strip(BLANKS) == core:
            found.append(start)
        at = norm.find(core, max(end, at + 1))
    source.work.spend(letters=len(norm) if at < 0 else at, lines=len(found))
    return found


def line_numbers(source: Source, core: str, most: int) -> list[int]:
    """The same lines by their numbers."""
    if source.is_indexed:
        return source.where.get(core, [])[:most]
    return [source.line_at(at) for at in whole_lines(source, core, most)]


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
