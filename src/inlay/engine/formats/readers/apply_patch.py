"""Patches between `*** Begin Patch` and `*** End Patch`.

    patch    = "*** Begin Patch" NL file+ "*** End Patch"          both sentinels, or neither
    file     = "*** Add File: " path NL ("+" text NL)*
             | "*** Delete File: " path NL
             | "*** Update File: " path NL ("*** Move to: " path NL)? chunk*
    chunk    = ("@@" section? NL)* (" " text | "-" text | "+" text | "")+ ("*** End of File" NL)?

Several `@@` lines in a row name enclosing sections, the outermost first; the first chunk may do without. An empty line
is a blank line of context, except at the end of a chunk. Line numbers after `@@` are hints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inlay.engine.formats.envelope import Reply, fence_on, is_tool_tag, next_solid
from inlay.engine.formats.format import MOST_PARTS, Claim, CutOff, Format, Opening, TooMany, Unreadable
from inlay.engine.formats.hunk_titles import readings, title_in
from inlay.model.edit import Create, Delete, Edit, Hunk, Op, OpKind, Part, Update

PROMPT = """\
Answer with one patch:

*** Begin Patch
*** Update File: src/prices.py
@@ def total(items):
     for item in items:
-        total += item.price
+        total += item.price * item.count
     return total
*** Add File: src/taxes.py
+RATE = 0.2
*** Delete File: src/obsolete.py
*** End Patch

Rules:
- Paths are relative to the root of the project. `*** Move to: path` below an Update File line moves the file.
- Every line of a change begins with a space (unchanged), - (removed) or + (added), also where the line itself is blank.
- Unchanged and removed lines repeat the file exactly; give three unchanged lines above and below each change.
- Where those lines occur more than once, name the enclosing class or function after @@, on as many @@ lines as needed.
- Every line of a new file begins with +.
- Write every line in full, with no "..." for omitted code, and nothing outside the patch.
"""

_MOST_SECTIONS = 16
_OPENING = re.compile(
    r"^(?:[^\n*]{0,80}[\"'])?[ \t]{0,9}\*\*\* (?:Begin Patch[ \t]*$|End Patch|(?:Add|Update|Delete) File: ?\S)", re.M
)
_BEGIN = re.compile(r".{0,90}\*\*\* Begin Patch[ \t]*$")
_END = re.compile(r"[ \t]*\*\*\* End Patch[ \t]*['\")\]}]*[ \t]*$")
_FILE = re.compile(r"[ \t]*\*\*\* (Add|Update|Delete) File: ?(.*)$")
_MOVE = re.compile(r"[ \t]*\*\*\* Move to: ?(.*)$")
_AT = re.compile(r"-(\d{1,9})(?:,\d{1,9})?[ \t]+\+\d{1,9}(?:,\d{1,9})?[ \t]*(?:@@|$)")
_KINDS: dict[str, OpKind] = {" ": " ", "-": "-", "+": "+"}
_ADVICE = (
    "Begin with *** Begin Patch, end with *** End Patch, and begin every other line with ***, @@, a space, - or +."
)


@dataclass(slots=True)
class _Chunk:
    sections: list[str] = field(default_factory=list)
    line: int | None = None
    glued: str = ""  #: the last text that follows `@@`, where that may be a changed line
    ops: list[Op] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)  #: which of them have no sign
    blanks: int = 0  #: how many empty lines the chunk ends with
    at_end: bool = False

    def edit(self) -> Edit:
        keep = len(self.ops) - (0 if self.at_end else self.blanks)
        hunk = Hunk(tuple(self.ops[:keep]), bare=tuple(self.bare))
        *outer, last = self.sections or [""]
        variants, sections = readings(hunk, last, self.glued)
        return Edit(0, variants, line=self.line, sections=(*outer, *sections), at_end=self.at_end)


class _Patch:
    def __init__(self, reply: Reply, line: int, framed: bool) -> None:
        self.lines = reply.lines
        self.at = line
        self.framed = framed  #: between sentinels, so that stray lines are the patch's own
        self.parts: list[Part] = []

    def files(self) -> None:
        if self.framed and self.at < len(self.lines) and self.lines[self.at].startswith("@@"):
            self.parts.append(self._update(None))
        while self.at < len(self.lines):
            if len(self.parts) > MOST_PARTS:
                raise TooMany(self.at)
            if not self.lines[self.at].strip():
                self.at += 1
            elif found := _FILE.match(self.lines[self.at]):
                self.at += 1
                action, path = found.group(1), _path(found.group(2))
                if not path:
                    raise Unreadable(f"line {self.at}: {action} File names no file", self.at, advice=_ADVICE)
                if action == "Delete":
                    self.parts.append(Delete(path))
                else:
                    self.parts.append(Create(path, self._added(path)) if action == "Add" else self._update(path))
            else:
                return

    def _added(self, path: str) -> str:
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].startswith("+"):
            self.at += 1
        behind = next_solid(self.lines, self.at)
        below = self.lines[behind] if behind < len(self.lines) else "*** "
        is_markup = below.lstrip().startswith("*** ") or is_tool_tag(below) or fence_on(below)
        if not is_markup and (self.framed or below.startswith("+")):
            message = f"line {behind + 1}: a line of the new file {path} does not begin with +"
            raise Unreadable(message, behind + 1, advice=_ADVICE)
        return "".join(f"{line[1:]}\n" for line in self.lines[start : self.at])

    def _update(self, path: str | None) -> Update:
        move = None
        if self.at < len(self.lines) and (found := _MOVE.match(self.lines[self.at])):
            move = _path(found.group(1))
            self.at += 1
        edits = tuple(chunk.edit() for chunk in self._chunks())
        if not edits and not move:
            raise Unreadable(f"line {self.at}: the update of {path} changes nothing", self.at, advice=_ADVICE)
        return Update(path, edits, move)

    def _chunks(self) -> list[_Chunk]:
        chunks: list[_Chunk] = []
        while self.at < len(self.lines) and not self._is_over():
            chunk = _Chunk()
            self._sections(chunk)
            self._body(chunk)
            if chunk.ops or chunk.sections or chunk.glued:
                chunks.append(chunk)
        return [chunk for chunk in chunks if len(chunk.ops) > chunk.blanks or chunk.glued]

    def _is_over(self) -> bool:
        line = self.lines[self.at]
        if line.startswith(" ") and not self.framed:
            return False
        if line.lstrip(" \t").startswith("*** "):
            return not line.startswith(" ") or bool(_END.match(line) or _FILE.match(line))
        if line[:1] in ("+", "-", " ", "@", ""):
            return False
        return not self.framed or is_tool_tag(line)

    def _sections(self, chunk: _Chunk) -> None:
        while self.at < len(self.lines) and self.lines[self.at].startswith("@@"):
            text = self.lines[self.at][2:].lstrip(" \t")
            if found := _AT.match(text):
                chunk.line = int(found.group(1)) or None
                text = text[found.end() :]
            section, glued = title_in(text)
            if chunk.glued and not (section and chunk.sections):
                return  # the next hunk
            chunk.glued = glued
            chunk.sections += [section] if section else []
            self.at += 1
            if len(chunk.sections) > _MOST_SECTIONS:
                raise Unreadable(f"line {self.at}: too many @@ lines in a row", self.at, advice=_ADVICE)

    def _body(self, chunk: _Chunk) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].startswith("@@"):
            line = self.lines[self.at]
            if line.strip() == "*** End of File":
                chunk.at_end = True
                self.at += 1
                return
            if self._is_over():
                return
            chunk.bare += [len(chunk.ops)] if line and line[0] not in _KINDS else []
            chunk.ops.append((_KINDS[line[0]], line[1:]) if line[:1] in _KINDS else (" ", line))
            chunk.blanks = 0 if line else chunk.blanks + 1
            self.at += 1


def _path(text: str) -> str:
    return text.strip().strip("`\"'")


def read(at: Opening) -> Claim | int:
    lines = at.reply.lines
    if _END.match(lines[at.line]):
        raise CutOff("a patch ends that never began", at.line + 1)
    framed = _BEGIN.match(lines[at.line]) is not None
    patch = _Patch(at.reply, at.line + framed, framed)
    try:
        patch.files()
    except Unreadable as failure:
        # Where a patch is cut off, what its last file lacks is due to that.
        if next_solid(lines, patch.at) >= len(lines):
            raise CutOff("the reply ends inside a patch", len(lines), parts=tuple(patch.parts)) from failure
        failure.end = _behind(lines, failure.end)
        raise
    closed = patch.at < len(lines) and _END.match(lines[patch.at]) is not None
    if closed and not framed:
        raise CutOff("a patch ends that has no *** Begin Patch", patch.at + 1, parts=tuple(patch.parts))
    if framed and not closed:
        if all(not text.strip() or fence_on(text) or is_tool_tag(text) for text in lines[patch.at : patch.at + 50]):
            raise CutOff("the reply ends inside a patch", len(lines), parts=tuple(patch.parts[:-1]))
        message = f"line {patch.at + 1}: a line of the patch cannot be read"
        raise Unreadable(message, _behind(lines, patch.at + 1), advice=_ADVICE)
    if not framed and at.fence and next_solid(lines, patch.at) >= len(lines):
        raise CutOff("the reply ends inside a patch", len(lines), parts=tuple(patch.parts[:-1]))
    return Claim(at.line, patch.at + closed, tuple(patch.parts))


def _behind(lines: Sequence[str], line: int) -> int:
    """The line below the patch that a line is part of."""
    for number in range(line, len(lines)):
        if _END.match(lines[number]) or _BEGIN.match(lines[number]):
            return number + (_END.match(lines[number]) is not None)
    return line


FORMAT = Format(
    name="apply_patch",
    aliases=("v4a", "patch_v4a", "codex", "applypatch"),
    title="apply_patch envelope",
    prompt=PROMPT,
    marks=("*** Begin Patch", "*** End Patch", " File:"),
    opening=_OPENING,
    read=read,
)
