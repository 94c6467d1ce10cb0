"""The hunks of a unified diff: where each ends, by its counts where they are right and by its text where not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inlay.engine.formats.envelope import Fence, ends_here_document, fence_on, is_tool_tag, next_solid
from inlay.engine.formats.format import MOST_PARTS, TooMany, Unreadable
from inlay.engine.formats.hunk_titles import readings, title_in
from inlay.model.edit import Edit, Hunk, Op, OpKind

KINDS: dict[str, OpKind] = {" ": " ", "-": "-", "+": "+"}
_AT = re.compile(r"@@(?:[ \t]*-(\d{1,9})(?:,(\d{1,9}))?[ \t]+\+(\d{1,9})(?:,(\d{1,9}))?[ \t]*(?:@@|$))?(.*)", re.S)
_SIGNATURE = re.compile(r"\d+(?:\.\d+)+\S{0,20}(?: \(.{1,40}\))?\s*$")
_BULLET = re.compile(r"[-+] \S")
_MOST_LINES = 1_000_000  # of a hunk without counts
_MOST_LOOKED_AT = 50  # lines below one without a sign that are searched for the rest of its hunk
_FOREIGN = ("*** ", "<<<<<<< ", ">>>>>>> ", "diff --git ", "Index: ")


@dataclass(slots=True)
class WrittenHunk:
    """A hunk while it is read: its claims about itself, its lines, and the first line behind it."""

    line: int | None = None
    section: str = ""
    counts: tuple[int, int] | None = None
    glued: str = ""  #: what follows the header on its line, where that may be a changed line
    ops: list[Op] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)  #: which of them have no sign
    start: int = 0  #: the line below the header
    end: int = 0
    endings: tuple[str, ...] = ()  #: of the lines, where they are content
    old: int = 0  #: lines taken so far, on either side
    new: int = 0
    old_open: bool = False
    new_open: bool = False

    def take(self, text: str) -> None:
        """Add a line as it is written; one without a prefix is context, which staging compares with the file."""
        if text.startswith("\\ ") and self.ops:
            self.old_open |= self.ops[-1][0] != "+"
            self.new_open |= self.ops[-1][0] != "-"
            return
        kind = KINDS.get(text[:1])
        self.bare += [len(self.ops)] if text and not kind else []
        self.ops.append((kind, text[1:]) if kind else (" ", text))
        self.old += kind != "+"
        self.new += kind != "-"

    @property
    def is_short(self) -> bool:
        """Whether lines are missing that the header promises; where one side has too many, it promises nothing."""
        if self.counts is None or self.old > self.counts[0] or self.new > self.counts[1]:
            return False
        return (self.old, self.new) != self.counts

    @property
    def lacks_section(self) -> bool:
        """Whether the counts are right if the first line of context is on the line of the header, as a section is."""
        return bool(self.section) and (self.old + 1, self.new + 1) == self.counts

    @property
    def all_ops(self) -> list[Op]:
        """The lines with the one that may be glued to the header: a file that comes or goes has no sections."""
        return [(KINDS[self.glued[0]], self.glued[1:]), *self.ops] if self.glued else self.ops

    def edit(self) -> Edit:
        hunk = Hunk(tuple(self.ops), self.old_open, self.new_open, tuple(self.bare), self.endings)
        variants, sections = readings(hunk, self.section, self.glued)
        return Edit(0, variants, line=self.line, sections=sections)


def hunks_at(lines: Sequence[str], line: int, fence: Fence | None) -> list[WrittenHunk]:
    """All hunks that follow each other from a line on; the first may lack its `@@` line."""
    hunks: list[WrittenHunk] = []
    while line < len(lines):
        text = lines[line]
        if text.startswith("@@") and text[2:3] in ("", " ", "\t"):
            hunk = _headed(text)
            hunk.start = hunk.end = line = line + 1
        elif not hunks and text[:1] in KINDS and text.strip() and not _begins_file(lines, line):
            hunk = WrittenHunk(start=line, end=line)
        else:
            break
        if not _by_counts(hunk, lines, line, fence) and not _with_glued(hunk, lines, line, fence):
            _by_text(hunk, lines, line, fence)
        hunks.append(hunk)
        if len(hunks) > MOST_PARTS:
            raise TooMany(line)
        if not hunk.all_ops:
            break
        line = next_solid(lines, hunk.end)
    return hunks


def _headed(text: str) -> WrittenHunk:
    found = _AT.match(text)
    old, old_count, new_count, rest = found.group(1, 2, 4, 5) if found else (None, None, None, "")
    section, glued = title_in(rest)
    if old is None:
        return WrittenHunk(section=section, glued=glued)
    counts = int(old_count) if old_count else 1, int(new_count) if new_count else 1
    # Line 0 is a place only where nothing is taken from the old side: the top of the file.
    return WrittenHunk(None if int(old) == 0 and counts[0] else int(old), section, counts, glued)


def _with_glued(hunk: WrittenHunk, lines: Sequence[str], start: int, fence: Fence | None) -> bool:
    """Take what follows the header as the first line of the hunk, where that makes its counts right."""
    if not hunk.glued or not _by_counts(hunk, lines, start, fence, hunk.glued):
        return False
    hunk.section = hunk.glued = ""
    return True


def _by_counts(hunk: WrittenHunk, lines: Sequence[str], start: int, fence: Fence | None, first: str = "") -> bool:
    """Take exactly as many lines as the header counts; False, with nothing taken, where that cuts through a hunk."""
    if hunk.counts is None:
        return False
    old, new = hunk.counts
    old, new = old - first.startswith("-"), new - first.startswith("+")
    at = start
    while (old > 0 or new > 0) and at < len(lines):
        kind = lines[at][:1] or " "
        if kind not in KINDS and not lines[at].startswith("\\ "):
            return False
        old -= kind in " -"
        new -= kind in " +"
        at += 1
    while at < len(lines) and lines[at].startswith("\\ "):
        at += 1
    if old or new or not _is_border(lines, at, fence):
        return False
    hunk.glued = first  # the counts say what it is
    if first:
        hunk.take(first)
    for number in range(start, at):
        hunk.take(lines[number])
    hunk.end = at
    return True


def _is_border(lines: Sequence[str], line: int, fence: Fence | None) -> bool:
    at = next_solid(lines, line)
    if at >= len(lines) or _ends_hunk(lines, at, fence):
        return True
    if fence is not None:
        return False
    # Outside a fence, prose may follow; below a blank line also a list, whose bullets look like removals.
    return lines[at][:1] not in KINDS or (at > line and lines[at].startswith("- "))


def _by_text(hunk: WrittenHunk, lines: Sequence[str], start: int, fence: Fence | None) -> None:
    at = start
    while at < len(lines):
        text = lines[at]
        if text[:1] not in " +" and _ends_hunk(lines, at, fence):
            break
        is_bare = text[:1] not in " +-\\" and fence is None and not _goes_on(lines, at)
        if is_bare and (at == start or not lines[at - 1] or not hunk.is_short):
            break  # prose behind a raw diff
        hunk.take(text)
        at += 1
        if at - start > _MOST_LINES:
            raise Unreadable(f"line {start}: the hunk has more lines than can be read", len(lines), code="too-many")
    while hunk.ops and at > start and not lines[at - 1]:
        hunk.ops.pop()
        hunk.old, hunk.new, at = hunk.old - 1, hunk.new - 1, at - 1
    hunk.end = at


def _ends_hunk(lines: Sequence[str], line: int, fence: Fence | None) -> bool:
    text = lines[line]
    if text.startswith("-"):
        return _begins_file(lines, line) or is_signature(lines, line)
    if text.startswith(("@@", *_FOREIGN)) or (is_tool_tag(text) and not _goes_on(lines, line)):
        return True
    if ends_here_document(lines, line):
        return True
    mark = fence_on(text)
    return mark is not None and not mark.info and mark.indent <= (fence.indent if fence else 0)


def _goes_on(lines: Sequence[str], line: int) -> bool:
    """Whether changed lines follow one without a sign before the next blank line; bullets are no changed lines."""
    for number in range(line + 1, min(len(lines), line + _MOST_LOOKED_AT)):
        text = lines[number]
        if not text.strip() or _begins_file(lines, number) or text.startswith("@@"):
            return False
        if text[:1] in ("+", "-") and not is_signature(lines, number) and not _BULLET.match(text):
            return True
    return False


def is_signature(lines: Sequence[str], line: int) -> bool:
    """Whether the version of git that made a patch follows, with which a mailed patch ends."""
    if lines[line].rstrip() != "--" or line + 1 >= len(lines) or not _SIGNATURE.match(lines[line + 1]):
        return False
    below = lines[line + 2] if line + 2 < len(lines) else ""
    return not below.strip() or fence_on(below) is not None


def _begins_file(lines: Sequence[str], line: int) -> bool:
    if not lines[line].startswith("--- ") or line + 1 >= len(lines) or not lines[line + 1].startswith("+++ "):
        return False
    return line + 2 >= len(lines) or lines[line + 2].startswith("@@") or fence_on(lines[line + 2]) is not None
