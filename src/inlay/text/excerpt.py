"""As much of a difference as a person will read, and how much was left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from inlay.text.diff import Difference, DiffLine

MOST_SHOWN = 10 * 1024  #: bytes of text, signs and line ends included
_WIDEST = 1000  # characters of one line; a minified file is one line
_LONGEST_RUN = 400  # lines of one side of one run
_MOST_LINES = 4 * _LONGEST_RUN
_GAP = DiffLine("\\", "…")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Parts of a difference: some of what goes and some of what comes, whichever is longer."""

    lines: tuple[DiffLine, ...]
    cut_removed: int = 0  #: removed lines that are not shown
    cut_added: int = 0

    @property
    def note(self) -> str:
        cut = [(self.cut_removed, "deleted"), (self.cut_added, "added")]
        parts = " and ".join(f"{count} {what} {'line' if count == 1 else 'lines'}" for count, what in cut if count)
        return f"… cut: {parts} not shown" if parts else ""


def excerpt(difference: Difference, limit: int = MOST_SHOWN) -> Excerpt:
    first = islice(difference.lines(longest_run=_LONGEST_RUN), _MOST_LINES)
    lines = tuple(_within([_shortened(line) for line in first], limit))
    removed, added = (sum(line.kind == kind for line in lines) for kind in "-+")
    return Excerpt(lines, difference.removed - removed, difference.added - added)


def _within(lines: list[DiffLine], limit: int) -> Iterator[DiffLine]:
    # How many bytes each kind of line may take; nothing that goes or comes crowds out the other.
    sizes = {group: sum(_size(line) for line in lines if _group(line) == group) for group in "-+ "}
    around = min(sizes[" "], limit // 4)
    rest = limit - around
    removed = min(sizes["-"], max(rest // 2, rest - sizes["+"]))
    left = {" ": around, "-": removed, "+": rest - removed}
    is_gap = False
    for line in lines:
        left[_group(line)] -= _size(line)
        if left[_group(line)] >= 0:
            yield line
        elif not is_gap:
            yield _GAP
        is_gap = left[_group(line)] < 0


def _group(line: DiffLine) -> str:
    return line.kind if line.kind in "-+" else " "


def _size(line: DiffLine) -> int:
    return len(line.text.encode("utf-8", "surrogatepass")) + 2


def _shortened(line: DiffLine) -> DiffLine:
    if len(line.text) <= _WIDEST:
        return line
    text = f"{line.text[:_WIDEST]}… ({len(line.text) - _WIDEST} more characters)"
    return replace(line, text=text, emphasis=())
