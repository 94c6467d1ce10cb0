"""Tells the whole new content of a file from a quotation of it: an excerpt, a part of it, or a summary."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from inlay.engine.languages.outlines.definitions import definitions
from inlay.errors import Misfit
from inlay.model.change import Change
from inlay.model.file import RepoPath
from inlay.text.edit_script import runs
from inlay.text.lines import Source

_SMALLEST = 8  # lines that say something; a shorter file may well be rewritten or cut down
_WHOLE_OR_EDITS = "Send the whole file as it should be, or edits."


@dataclass(frozen=True, slots=True)
class Alignment:
    """How the lines of new content, indentation aside, pair with those of a file; blank lines are left out."""

    numbers: tuple[int, ...]  #: of the file's lines, 1-based
    kept: tuple[int, ...]  #: indexes into `numbers` of the lines that the content has as well, in order
    added: int  #: lines that only the content has

    @property
    def skipped(self) -> int:
        """Lines of the file between the first and the last one that the content has."""
        return self.kept[-1] - self.kept[0] + 1 - len(self.kept) if self.kept else 0

    @property
    def is_excerpt(self) -> bool:
        """Whether the content says nothing new and repeats one stretch of the file, give or take a few lines."""
        return bool(self.kept) and not self.added and self.skipped <= max(2, len(self.kept) // 4)

    @property
    def span(self) -> str:
        first, last = self.numbers[self.kept[0]], self.numbers[self.kept[-1]]
        return f"line {first}" if first == last else f"lines {first} to {last}"

    @property
    def clusters(self) -> int:
        """How many parts of the file the content is about."""
        gap = max(5, len(self.kept) + self.added)
        return 1 + sum(b - a > gap for a, b in zip(self.kept, self.kept[1:], strict=False))


def is_quoted(content: str, change: Change) -> bool:
    """Whether content shown beside an edit of the same file is what the file was or will be, or a stretch of it."""
    if change.is_noop:
        return False
    texts = [change.before.text if change.before else "", change.after or ""]
    return any(_solid(content) == _solid(text) or aligned(text, content).is_excerpt for text in texts)


def aligned(before: str, content: str) -> Alignment:
    old = [(number, key) for number, line in enumerate(Source(before).folded().lines, 1) if (key := line.strip())]
    new = [key for line in Source(content).folded().lines if (key := line.strip())]
    keys = [key for _, key in old]
    changed = runs(keys, new)
    gone = {n for first, end, _, _ in changed for n in range(first, end)}
    kept = tuple(n for n in range(len(keys)) if n not in gone)
    return Alignment(tuple(number for number, _ in old), kept, sum(stop - start for _, _, start, stop in changed))


def fragment(path: RepoPath, before: str, content: str, moved: frozenset[str] = frozenset()) -> Misfit | None:
    """Why the content cannot be the whole new file: it only repeats, gives or describes a part of the one there.

    `moved` are lines that the reply adds to other files; where most of what goes is among them, nothing is lost.
    """
    had, new = _solid(before), _solid(content)
    if len(set(had)) < _SMALLEST or not new or 2 * len(new) > len(had):
        return None
    gone = Counter(had) - Counter(new)
    if 2 * sum(count for line, count in gone.items() if line in moved) >= gone.total():
        return None
    if set(new).isdisjoint(had):
        counts = content.count("\n") + 1, before.count("\n") + 1
        message = f"the new content has {counts[0]} lines where the file has {counts[1]}, and not one in common"
        return Misfit("summary", message, _WHOLE_OR_EDITS)
    alignment = aligned(before, content)
    if alignment.is_excerpt:
        message = f"the fence repeats {alignment.span} of the file and changes nothing"
        return Misfit("excerpt", message, "Send an edit that says what to change, or the whole file as it should be.")
    if _is_one_part(alignment) or _has_few_of_the_definitions(path, before, content):
        lines = Source(before).count
        message = f"the fence has {len(new)} lines for a file of {lines}: a part of it, and the rest would be lost"
        return Misfit("partial-file", message, _WHOLE_OR_EDITS)
    return None


def _solid(text: str) -> list[str]:
    return [key for line in Source(text).folded().lines if (key := line.strip())]


def _is_one_part(alignment: Alignment) -> bool:
    """Whether what the content shares with the file lies close together, and is enough to tell."""
    return bool(alignment.kept) and alignment.clusters <= 2 and alignment.added <= 2 * len(alignment.kept) + 2


def _has_few_of_the_definitions(path: RepoPath, before: str, content: str) -> bool:
    """Whether everything that the content defines is in the file, which defines more than twice as much."""
    names, shown = ({each.short_name for each in definitions(path, text)} for text in (before, content))
    return bool(shown) and shown <= names and 2 * len(shown) < len(names)
