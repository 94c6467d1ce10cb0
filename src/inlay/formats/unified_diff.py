"""Unified diffs as git, diff and models write them; text decides where a hunk belongs, numbers are hints.

    reply    = file+ | hunk+
    file     = git-line* ("--- " old NL "+++ " new NL)? hunk+
    git-line = "diff --git " … | "index " … | "new file mode " … | "deleted file mode " … | "rename from " … | …
    hunk     = "@@" (" -" line,count " +" line,count)? (" @@")? section? NL body
    body     = (" " text | "-" text | "+" text | "" | "\\\\ No newline at end of file")+

Counts delimit a hunk where they agree with the lines that follow; otherwise the lines themselves do. An empty line is
a blank line of context, except at the end of a hunk. `/dev/null` as one side makes or deletes the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inlay.formats.diff_header import NOWHERE, Header, header_at
from inlay.formats.envelope import Fence, fence_on, is_tool_tag, next_solid
from inlay.formats.format import MOST_PARTS, Claim, CutOff, Format, Opening, TooMany, Unreadable
from inlay.formats.names import path_above
from inlay.model.edit import Create, Delete, Edit, Hunk, Op, OpKind, Part, Update

PROMPT = """\
Answer with a unified diff:

--- a/src/prices.py
+++ b/src/prices.py
@@ -10,4 +10,4 @@ def total(items):
     total = 0
     for item in items:
-        total += item.price
+        total += item.price * item.count
     return total

Patch rules:
- Send the raw diff only: no code fence around it, no prose before or after it, no tool tags, no XML.
- Every file has its --- and +++ line, relative to the root of the project; every hunk has its @@ line.
- Every line of a hunk begins with a space (unchanged), - (removed) or + (added), also where the line itself is blank.
- Unchanged and removed lines repeat the file exactly; give three unchanged lines above and below each change.
- Write every line in full, with no "..." for omitted code.
- `--- /dev/null` makes a new file, `+++ /dev/null` deletes one.
"""

_AT = re.compile(r"@@(?:[ \t]*-(\d{1,9})(?:,(\d{1,9}))?[ \t]+\+(\d{1,9})(?:,(\d{1,9}))?[ \t]*(?:@@|$))?(.*)", re.S)
_ELIDED_NUMBERS = re.compile(r"\A[\s.…+,-]*(?:@@|\Z)\s*")
_OPENING = re.compile(r"^(?:diff --git \S|--- \S[^\n]*\n(?:\+\+\+ \S|@@)|\+\+\+ \S[^\n]*\n@@|@@(?:[ \t]|$))", re.M)
_FOREIGN = ("*** ", "<<<<<<< ", ">>>>>>> ", "diff --git ", "Index: ")
_ADVICE = "Send a raw unified diff in which every line of a hunk begins with a space, - or +."


@dataclass(slots=True)
class _Hunk:
    """A hunk while it is read: its claims about itself, its lines, and the first line behind it."""

    line: int | None = None
    section: str = ""
    counts: tuple[int, int] | None = None
    ops: list[Op] = field(default_factory=list)
    end: int = 0
    old: int = 0  #: lines taken so far, on either side
    new: int = 0
    old_open: bool = False
    new_open: bool = False

    def take(self, text: str) -> None:
        """Add a line as it is written; one without a prefix is context, which staging will hold against the file."""
        if text.startswith("\\ ") and self.ops:
            self.old_open |= self.ops[-1][0] != "+"
            self.new_open |= self.ops[-1][0] != "-"
            return
        kind = _KINDS.get(text[:1])
        self.ops.append((kind, text[1:]) if kind else (" ", text))
        self.old += kind != "+"
        self.new += kind != "-"

    @property
    def is_short(self) -> bool:
        """Whether lines are missing that the header promises; where one side has too many, it promises nothing."""
        if self.counts is None or self.old > self.counts[0] or self.new > self.counts[1]:
            return False
        return (self.old, self.new) != self.counts

    def edit(self) -> Edit:
        hunk = Hunk(tuple(self.ops), self.old_open, self.new_open)
        return Edit(0, (hunk,), line=self.line, sections=(self.section,) if self.section else ())


_KINDS: dict[str, OpKind] = {" ": " ", "-": "-", "+": "+"}


def read(at: Opening) -> Claim | int:
    """The file of the diff that opens at a line, with all hunks that follow each other."""
    lines = at.reply.lines
    header = header_at(lines, at.line)
    hunks = _hunks(lines, header.end, at.fence)
    if header.is_empty and not any(kind != " " for hunk in hunks for kind, _ in hunk.ops):
        return at.line + 1
    end = hunks[-1].end if hunks else header.end
    _refuse_what_cannot_be_read(header, hunks, at, end)
    path, start = path_above(lines, at.line, at.floor) if header.is_empty else (header.path, at.line)
    part = _part(header, path, hunks, end)
    warnings = (f"the new mode of {path} was passed over",) if "new mode" in header.notes else ()
    if part is None and not warnings:
        return end
    return Claim(start, end, () if part is None else (part,), warnings)


def _hunks(lines: Sequence[str], line: int, fence: Fence | None) -> list[_Hunk]:
    hunks: list[_Hunk] = []
    while line < len(lines):
        text = lines[line]
        if text.startswith("@@") and text[2:3] in ("", " ", "\t"):
            hunk = _headed(text)
            hunk.end = line = line + 1
        elif not hunks and text[:1] in _KINDS and text.strip() and not _begins_file(lines, line):
            hunk = _Hunk(end=line)
        else:
            break
        if not _by_counts(hunk, lines, line, fence):
            _by_text(hunk, lines, line, fence)
        hunks.append(hunk)
        if len(hunks) > MOST_PARTS:
            raise TooMany(line)
        if not hunk.ops:
            break
        line = next_solid(lines, hunk.end)
    return hunks


def _headed(text: str) -> _Hunk:
    found = _AT.match(text)
    old, old_count, new_count, rest = found.group(1, 2, 4, 5) if found else (None, None, None, "")
    section = _ELIDED_NUMBERS.sub("", rest.strip()).removesuffix("@@").strip()
    if old is None:
        return _Hunk(section=section)
    counts = int(old_count) if old_count else 1, int(new_count) if new_count else 1
    return _Hunk(int(old) or None, section, counts)


def _by_counts(hunk: _Hunk, lines: Sequence[str], start: int, fence: Fence | None) -> bool:
    """Take exactly as many lines as the header counts; False, with nothing taken, where that cuts through a hunk."""
    if hunk.counts is None:
        return False
    old, new = hunk.counts
    at = start
    while (old > 0 or new > 0) and at < len(lines):
        kind = lines[at][:1] or " "
        if kind not in _KINDS and not lines[at].startswith("\\ "):
            return False
        old -= kind in " -"
        new -= kind in " +"
        at += 1
    while at < len(lines) and lines[at].startswith("\\ "):
        at += 1
    if old or new or not _is_border(lines, at, fence):
        return False
    for number in range(start, at):
        hunk.take(lines[number])
    hunk.end = at
    return True


def _is_border(lines: Sequence[str], line: int, fence: Fence | None) -> bool:
    """Whether a hunk can end above a line."""
    at = next_solid(lines, line)
    if at >= len(lines) or _ends_hunk(lines, at, fence):
        return True
    if fence is not None:
        return False
    # Outside a fence, prose may follow; below a blank line also a list, whose bullets look like removals.
    return lines[at][:1] not in _KINDS or (at > line and lines[at].startswith("- "))


def _by_text(hunk: _Hunk, lines: Sequence[str], start: int, fence: Fence | None) -> None:
    """Take lines for as long as they look like a hunk's."""
    at = start
    while at < len(lines):
        text = lines[at]
        if text[:1] not in " +" and _ends_hunk(lines, at, fence):
            break
        if text[:1] not in " +-\\" and fence is None and (at == start or not lines[at - 1] or not hunk.is_short):
            break  # prose behind a raw diff
        hunk.take(text)
        at += 1
    while hunk.ops and at > start and not lines[at - 1]:
        hunk.ops.pop()
        hunk.old, hunk.new, at = hunk.old - 1, hunk.new - 1, at - 1
    hunk.end = at


def _ends_hunk(lines: Sequence[str], line: int, fence: Fence | None) -> bool:
    text = lines[line]
    if text.startswith("-"):
        return _begins_file(lines, line)
    if text.startswith(("@@", *_FOREIGN)) or is_tool_tag(text):
        return True
    mark = fence_on(text)
    return mark is not None and not mark.info and mark.indent <= (fence.indent if fence else 0)


def _begins_file(lines: Sequence[str], line: int) -> bool:
    if not lines[line].startswith("--- ") or line + 1 >= len(lines) or not lines[line + 1].startswith("+++ "):
        return False
    return line + 2 >= len(lines) or lines[line + 2].startswith("@@") or fence_on(lines[line + 2]) is not None


def _refuse_what_cannot_be_read(header: Header, hunks: list[_Hunk], at: Opening, end: int) -> None:
    lines = at.reply.lines
    if next_solid(lines, end) >= len(lines) and (at.fence is not None or (hunks and hunks[-1].is_short)):
        path = header.path if not header.is_empty else path_above(lines, at.line, at.floor)[0]
        whole = tuple(hunk.edit() for hunk in hunks[:-1])
        raise CutOff("the reply ends inside a diff", len(lines), parts=(Update(path, whole),) if whole else ())
    where = f"line {at.line + 1}"
    if header.disagrees and "rename to" not in header.notes:
        raise Unreadable(f"{where}: the diff names two files, {header.old} and {header.new}", end, advice=_ADVICE)
    if any(note.startswith(("Binary", "GIT binary", "copy")) for note in header.notes):
        raise Unreadable(f"{where}: the diff of {header.path} is no diff of text", end, advice=_ADVICE)
    if (hunks and not hunks[-1].ops) or (not hunks and header.old is not None and header.new is not None):
        raise Unreadable(f"{where}: the diff of {header.path} has a hunk without lines", end, advice=_ADVICE)
    if at.fence and _goes_on_behind_fence(lines, end):
        raise Unreadable(f"line {end + 1}: the fence around the diff closes inside a hunk", end + 1, advice=_ADVICE)


def _goes_on_behind_fence(lines: Sequence[str], end: int) -> bool:
    if end + 1 >= len(lines) or not fence_on(lines[end]):
        return False
    return lines[end + 1][:1] in _KINDS and bool(lines[end + 1].strip())


def _part(header: Header, path: str | None, hunks: list[_Hunk], end: int) -> Part | None:
    notes = header.notes
    if "rename from" in notes and "rename to" in notes:
        return Update(notes["rename from"], tuple(hunk.edit() for hunk in hunks), move_to=notes["rename to"])
    if path and (header.new == NOWHERE or "deleted file mode" in notes):
        old = tuple(text for hunk in hunks for kind, text in hunk.ops if kind != "+")
        return Delete(path, old if hunks else None)
    if path and (header.old == NOWHERE or "new file mode" in notes):
        return Create(path, _content(hunks, path, end))
    return Update(path, tuple(hunk.edit() for hunk in hunks)) if hunks else None


def _content(hunks: list[_Hunk], path: str, end: int) -> str:
    ops = [op for hunk in hunks for op in hunk.ops]
    if any(kind == "-" or (kind == " " and text) for kind, text in ops):
        raise Unreadable(f"the new file {path} has lines that are not added", end, advice=_ADVICE)
    text = "".join(f"{text}\n" for _, text in ops)
    return text[:-1] if hunks and hunks[-1].new_open else text


FORMAT = Format(
    name="unified_diff",
    aliases=("udiff", "diff", "patch", "unified"),
    title="Unified diff",
    prompt=PROMPT,
    marks=("@@", "\n+++ ", "diff --git "),
    opening=_OPENING,
    read=read,
)
