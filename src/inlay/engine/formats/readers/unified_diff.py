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

from inlay.engine.formats.diff_header import NOWHERE, Header, header_at
from inlay.engine.formats.diff_hunks import KINDS, WrittenHunk, hunks_at
from inlay.engine.formats.envelope import Reply, fence_on, next_solid
from inlay.engine.formats.format import Claim, CutOff, Format, Opening, Unreadable
from inlay.engine.formats.names import path_above
from inlay.model.edit import Create, Delete, Part, Update

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

_OPENING = re.compile(r"^(?:diff --git \S|--- \S[^\n]*\n(?:\+\+\+ \S|@@)|\+\+\+ \S[^\n]*\n@@|@@(?:[ \t]|$))", re.M)
_MARKED_WORDS = re.compile(r"\[-.+?-\]|\{\+.+?\+\}")
_MOST_LOOKED_AT = 50
_ADVICE = "Send a raw unified diff in which every line of a hunk begins with a space, - or +."


def read(at: Opening) -> Claim | int:
    """The file of the diff that opens at a line, with all hunks that follow each other."""
    lines = at.reply.lines
    header = header_at(lines, at.line)
    hunks = hunks_at(lines, header.end, at.fence)
    if header.end not in at.reply.returns and any(hunk.end > hunk.start for hunk in hunks):
        _keep_endings(at.reply, hunks)
    if header.is_empty and not any(kind != " " for hunk in hunks for kind, _ in hunk.all_ops):
        return at.line + 1
    end = hunks[-1].end if hunks else header.end
    _refuse_what_cannot_be_read(header, hunks, at, end)
    path, start = path_above(lines, at.line, at.floor) if header.is_empty else (header.path, at.line)
    part = _part(header, path, hunks, end)
    return end if part is None else Claim(start, end, (part,))


def _keep_endings(reply: Reply, hunks: list[WrittenHunk]) -> None:
    """Where git's own lines end in LF, the CR of others is content."""
    for hunk in hunks:
        numbers = [n for n in range(hunk.start, hunk.end) if not reply.lines[n].startswith("\\ ")]
        if len(numbers) == len(hunk.ops) and any(n in reply.returns for n in numbers):
            hunk.endings = tuple(map(reply.ending, numbers))
    if any(hunk.endings for hunk in hunks):
        for hunk in hunks:
            hunk.endings = hunk.endings or ("\n",) * len(hunk.ops)


def _refuse_what_cannot_be_read(header: Header, hunks: list[WrittenHunk], at: Opening, end: int) -> None:
    lines = at.reply.lines
    is_short = bool(hunks) and hunks[-1].is_short
    # A reply that is cut off hardly ever ends with a whole line.
    is_short = is_short and not (hunks[-1].lacks_section and at.reply.text.endswith("\n"))
    if next_solid(lines, end) >= len(lines) and (at.fence is not None or is_short):
        path = header.path if not header.is_empty else path_above(lines, at.line, at.floor)[0]
        whole = tuple(hunk.edit() for hunk in hunks[:-1])
        raise CutOff("the reply ends inside a diff", len(lines), parts=(Update(path, whole),) if whole else ())
    where = f"line {at.line + 1}"
    if header.disagrees and "rename to" not in header.notes:
        raise Unreadable(f"{where}: the diff names two files, {header.old} and {header.new}", end, advice=_ADVICE)
    if any(note.startswith(("Binary", "GIT binary", "copy")) for note in header.notes):
        raise Unreadable(f"{where}: the diff of {header.path} is no diff of text", end, advice=_ADVICE)
    if header.special:
        raise Unreadable(f"{where}: the diff of {header.path} is about {header.special}", end, advice=_ADVICE)
    if _is_word_diff(lines, header, hunks):
        raise Unreadable(f"{where}: the diff of {header.path} marks words instead of lines", end, advice=_ADVICE)
    if (hunks and not hunks[-1].all_ops) or (not hunks and header.old is not None and header.new is not None):
        raise Unreadable(f"{where}: the diff of {header.path} has a hunk without lines", end, advice=_ADVICE)
    below = lines[end + 1] if end + 1 < len(lines) and fence_on(lines[end]) else ""
    if at.fence and below[:1] in KINDS and below.strip():
        raise Unreadable(f"line {end + 1}: the fence around the diff closes inside a hunk", end + 1, advice=_ADVICE)


def _is_word_diff(lines: Sequence[str], header: Header, hunks: list[WrittenHunk]) -> bool:
    if any(kind != " " for hunk in hunks for kind, _ in hunk.all_ops):
        return False
    end = max(hunks[-1].end if hunks else 0, header.end + _MOST_LOOKED_AT)
    return any(_MARKED_WORDS.search(lines[n]) for n in range(header.end, min(len(lines), end)))


def _part(header: Header, path: str | None, hunks: list[WrittenHunk], end: int) -> Part | None:
    notes, edits = header.notes, tuple(hunk.edit() for hunk in hunks)
    if "rename from" in notes and "rename to" in notes:
        return Update(
            notes["rename from"], edits, notes["rename to"], header.base_id, header.executable, header.result_id
        )
    if path and (header.new == NOWHERE or "deleted file mode" in notes):
        old = tuple(text for hunk in hunks for kind, text in hunk.all_ops if kind != "+")
        return Delete(path, old if hunks else None)
    if path and (header.old == NOWHERE or "new file mode" in notes):
        ops = [op for hunk in hunks for op in hunk.all_ops]
        if any(kind == "-" or (kind == " " and text) for kind, text in ops):
            raise Unreadable(f"the new file {path} has lines that are not added", end, advice=_ADVICE)
        endings = [ending for hunk in hunks for ending in hunk.endings]
        endings = endings if len(endings) == len(ops) else ["\n"] * len(ops)
        content = "".join(f"{text}{ending}" for (_, text), ending in zip(ops, endings, strict=True))
        if hunks and hunks[-1].new_open:
            content = content.removesuffix("\n").removesuffix("\r")
        return Create(path, content, executable=bool(header.executable))
    is_known = path is not None and header.executable is not None
    return Update(path, edits, None, header.base_id, header.executable, header.result_id) if hunks or is_known else None


FORMAT = Format(
    name="unified_diff",
    aliases=("udiff", "diff", "patch", "unified"),
    title="Unified diff",
    prompt=PROMPT,
    marks=("@@", "\n+++ ", "diff --git "),
    opening=_OPENING,
    read=read,
)
