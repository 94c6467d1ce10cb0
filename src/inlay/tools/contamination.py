"""Refuses a patch with something around it: fences, tool tags, prose.

What belongs to a hunk is its content: a patch may add fences to a Markdown file or tags to an HTML file. Only a line
that belongs to no hunk and no file header is contamination. The counts of a hunk, where they are right, decide which
lines belong to it. The header and signature that git puts around a patch are removed, as git's own tools do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from inlay.engine.formats.diff_header import header_at
from inlay.engine.formats.diff_hunks import WrittenHunk, hunks_at
from inlay.engine.formats.envelope import TOOL_TAGS, Reply, fence_on, next_solid
from inlay.errors import Misfit, ReplyMalformed

_CLEAN = (
    "Send the patch again as a raw unified diff: no Markdown fences, no XML or HTML tags, no tool-call markup and "
    "no sentences before, between or after the hunks."
)
_SHAPE = (
    "Write a unified diff: a --- and a +++ line for each file, an @@ line for each hunk, and below it lines that begin "
    "with a space, - or +."
)
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_MAIL_HEADER = re.compile(r"(?:From [0-9a-f]{7,64} |commit [0-9a-f]{7,64}\b)")
_FIRST_FILE = re.compile(r"diff --git \S|--- (?:a/\S|/dev/null)")
_DIFF_COMMAND = re.compile(r"diff -\S.* \S+$")
_SIGNATURE = re.compile(r"\d+(?:\.\d+)+\S{0,20}$")
_TAG = re.compile(r"\s*(?:</?[A-Za-z!?][^<>]*>|<\|[^<>|]+\|>)")
_LAST_TAG = re.compile(rf"\+.*\S</({TOOL_TAGS}|write_patch)>\s*$")
_SECTION = re.compile(r"\*\*\* (?:Add|Update|Delete) File: ")
_PATCH_LINE = re.compile(r"[ +\-@\\]|\*\*\* |$")


@dataclass(frozen=True, slots=True)
class Patch:
    text: str
    format: Literal["unified_diff", "apply_patch"]


def require_clean(text: str) -> Patch:
    """The patch; raises where something is around it, or where there is no patch."""
    lines = Reply(text).lines
    if any(line.rstrip() == _BEGIN for line in lines):
        _refuse(lines, [*_lines_outside_envelope(lines), *_closing_tag(lines)])
        return Patch(text, "apply_patch")
    if any(_SECTION.match(line) for line in lines[next_solid(lines, 0) :][:1]):
        # The format allows a patch without its first and last line.
        _refuse(lines, [*_lines_outside_envelope(lines, inside=True), *_closing_tag(lines)])
        return Patch(text, "apply_patch")
    start, end = _patch_bounds(lines)
    stray, has_structure = _unclaimed_lines(lines, start, end)
    if not has_structure:
        begins = next((line.strip() for line in lines if line.strip()), "")
        message = f"this is not a unified diff, since it has no @@ line and no file header: {begins[:60]!r}"
        raise ReplyMalformed(Misfit("not-a-diff", message, _SHAPE))
    _refuse(lines, [*stray, *_closing_tag(lines)])
    return Patch("\n".join(lines[start:end]) + "\n", "unified_diff")


def _refuse(lines: Sequence[str], stray: Sequence[int]) -> None:
    if not stray:
        return
    line = lines[stray[0]]
    kind = "a Markdown fence" if fence_on(line) else "markup" if _TAG.match(line) else "text that is not part of it"
    message = f"the patch contains more than a diff: {kind} on line {stray[0] + 1}, {line.strip()[:60]!r}"
    raise ReplyMalformed(Misfit("contaminated", message, _CLEAN))


def _unclaimed_lines(lines: Sequence[str], start: int, end: int) -> tuple[list[int], bool]:
    """The lines that belong to no file header and no hunk, and whether there is any diff at all."""
    stray: list[int] = []
    has_structure = False
    at = next_solid(lines, start)
    while at < end:
        if _DIFF_COMMAND.match(lines[at]) and lines[at + 1 : at + 2] and lines[at + 1].startswith("--- "):
            at += 1  # diff repeats its own command line above each file
        header = header_at(lines, at)
        hunks = hunks_at(lines, header.end, None)
        if header.is_empty and not lines[at].startswith("@@"):
            stray.append(at)
            at = next_solid(lines, at + 1)
            continue
        has_structure = has_structure or not header.is_empty or bool(hunks)
        stray += _markup_in_hunks(lines, header.end, hunks)
        at = next_solid(lines, max(at + 1, hunks[-1].end if hunks else header.end))
    return stray, has_structure


def _markup_in_hunks(lines: Sequence[str], start: int, hunks: Sequence[WrittenHunk]) -> Iterator[int]:
    """Fences and tags without a sign inside hunks whose counts are wrong."""
    for hunk in hunks:
        for at in range(start, hunk.end):
            text = lines[at]
            if text[:1] not in (" ", "+", "-", "@", "\\", "") and (fence_on(text) or _TAG.match(text)):
                yield at
        start = hunk.end


def _closing_tag(lines: Sequence[str]) -> Iterator[int]:
    """The end of a tool call on the last added line, if nothing in the patch begins one or has another such end."""
    last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].startswith("+")), None)
    tag = _LAST_TAG.match(lines[last]) if last is not None else None
    others = [*lines[:last], *lines[last + 1 :]] if tag and last is not None else []
    if tag and last is not None and not any(f"<{tag[1]}" in line or f"</{tag[1]}>" in line for line in others):
        yield last


def _lines_outside_envelope(lines: Sequence[str], inside: bool = False) -> Iterator[int]:
    """Lines outside the envelope of an apply_patch, and fences and tags without a sign inside it."""
    for at, line in enumerate(lines):
        bare = line.rstrip()
        if bare == _BEGIN and not inside:
            inside = True
        elif bare == _END and inside:
            inside = False
        elif (not inside and bare) or (inside and not _PATCH_LINE.match(line) and (fence_on(line) or _TAG.match(line))):
            yield at


def _patch_bounds(lines: Sequence[str]) -> tuple[int, int]:
    """Where the patch begins and ends inside what `git format-patch` and `git show` write around it."""
    # The signature of a mail ends it; otherwise the text does, since a last blank line may be context.
    last = next((at for at in range(len(lines) - 1, 0, -1) if lines[at].strip()), 0)
    is_signed = last > 1 and lines[last - 1].rstrip() == "--" and _SIGNATURE.match(lines[last])
    start, end = next_solid(lines, 0), last - 1 if is_signed else len(lines)
    if start >= end or not _MAIL_HEADER.match(lines[start]):
        return start, end
    return next((at for at in range(start, end) if _FIRST_FILE.match(lines[at])), start), end
