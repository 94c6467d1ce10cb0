"""Passages: runs of a file's lines with the changes an edit makes to them, cut out of a whole change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

Op = tuple[str, str]  # (" " kept | "-" removed | "+" added, the line without its ending)


class Span(NamedTuple):
    """Lines `old` to `old + gone` of the before-file give way to lines `new` to `new + come` of the after-file."""

    old: int
    gone: int
    new: int
    come: int


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of one commit, before and after, as lines without endings."""

    name: str  #: unique within a run, stable from run to run
    path: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def tag(self) -> str:
        """What a model writes after the opening fence."""
        return {
            "py": "python",
            "js": "javascript",
            "ts": "typescript",
            "rs": "rust",
            "rb": "ruby",
            "md": "markdown",
        }.get(suffix := self.path.rpartition(".")[2], suffix)


@dataclass(slots=True)
class Passage:
    """A run of file lines and what becomes of them."""

    start: int  #: 0-based line in the file
    ops: list[Op]
    find: list[str] | None = None  #: set where a slip makes the old side disagree with `ops`
    replace: list[str] | None = None
    end: str = "\n"  #: the ending that added lines take
    reach: int = field(default=0)  #: file lines meant, whatever slips do to `ops` later

    def __post_init__(self) -> None:
        self.reach = self.reach or self.size

    @property
    def size(self) -> int:
        """How many file lines `ops` covers."""
        return sum(kind != "+" for kind, _ in self.ops)

    @property
    def stop(self) -> int:
        """The first file line after the passage."""
        return self.start + self.size

    def old(self) -> list[str]:
        """The lines as they are said to be."""
        return self.find if self.find is not None else [text for kind, text in self.ops if kind != "+"]

    def new(self) -> list[str]:
        """The lines as they shall be."""
        return self.replace if self.replace is not None else [text for kind, text in self.ops if kind != "-"]

    def changed(self) -> list[int]:
        """Indices of the operations that are not context."""
        return [k for k, (kind, _) in enumerate(self.ops) if kind != " "]

    def copy(self) -> Passage:
        """A copy whose operations may be changed apart from this one's."""
        return replace(self, ops=list(self.ops))


def cut(change: FileChange, context: int, *, merge: bool = True) -> list[Passage]:
    """Each change with `context` lines around it; those whose surroundings touch become one passage."""
    groups: list[list[Span]] = []
    for span in change.spans:
        if merge and groups and span.old - (groups[-1][-1].old + groups[-1][-1].gone) <= 2 * context:
            groups[-1].append(span)
        else:
            groups.append([span])
    return [_passage(change, group, context) for group in groups]


def _passage(change: FileChange, group: Sequence[Span], context: int) -> Passage:
    start = at = max(0, group[0].old - context)
    ops: list[Op] = []
    for span in group:
        ops += [(" ", text) for text in change.before[at : span.old]]
        ops += [("-", text) for text in change.before[span.old : span.old + span.gone]]
        ops += [("+", text) for text in change.after[span.new : span.new + span.come]]
        at = span.old + span.gone
    ops += [(" ", text) for text in change.before[at : at + context]]
    return Passage(start, ops)


def applied(lines: Sequence[str], ends: Sequence[str], passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """The file after the passages, line by line with its ending: kept lines keep their own."""
    out: list[tuple[str, str]] = []
    at = 0
    for passage in sorted(passages, key=lambda p: p.start):
        out += zip(lines[at : passage.start], ends[at : passage.start], strict=True)
        at = passage.start
        for kind, text in passage.ops:
            if kind != "-":
                out.append((text, passage.end if kind == "+" else ends[at]))
            at += kind != "+"
    return out + list(zip(lines[at:], ends[at:], strict=True))


def loosely(lines: Iterable[str]) -> list[str]:
    """The most tolerant reading of a text: no blanks, no blank lines, no case."""
    return [bare for text in lines if (bare := "".join(text.split()).casefold())]


def places(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Every line where `wanted` begins, overlapping ones included."""
    if not wanted:
        return []
    text, block = "\n" + "\n".join(lines) + "\n", "\n" + "\n".join(wanted) + "\n"
    found, at = [], text.find(block)
    while at >= 0:
        found.append(text.count("\n", 0, at + 1) - 1)
        at = text.find(block, at + 1)
    return found


def unmistakable(lines: Sequence[str], passages: Iterable[Passage]) -> bool:
    """Whether each passage fits exactly one place even when read most tolerantly."""
    bare = loosely(lines)
    return all(len(places(bare, loosely(p.old()))) == 1 for p in passages)


def orderings(lines: Sequence[str], passages: Sequence[Passage]) -> int:
    """In how many ways the passages fit from top to bottom without overlap; 2 stands for several."""
    ways = [(0, 1)]
    for passage in passages:
        spots = places(lines, passage.old())
        counted = [(at + len(passage.old()), sum(n for free, n in ways if free <= at)) for at in spots]
        ways = [(free, n) for free, n in counted if n]
    return min(2, sum(n for _, n in ways))
