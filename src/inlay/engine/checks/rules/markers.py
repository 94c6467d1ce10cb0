"""Finds markup that is no content: merge conflict markers, edit block markers, tags and output of tool calls.

Owns the question which lines are such markup, for the lines that an edit adds and for the files that come of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.codes import Code
from inlay.engine.checks.added_lines import Line
from inlay.engine.formats.envelope import TOOL_TAGS
from inlay.errors import Misfit
from inlay.model.change import Change
from inlay.model.finding import Finding

_CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?$|\s*(?:[<-]{5,9}\s*(?:ORIGINAL|HEAD)|[>+]{5,9}\s*UPDATED)>?\s*$")
_BLOCK = re.compile(r"\s*(?:[<-]{5,9}\s*SEARCH|[>+]{5,9}\s*REPLACE)>?\s*$")
_PATCH = re.compile(r"\*\*\* (?:Begin|(End)) Patch\s*$")
_DIVIDER = re.compile(r"={7}\s*$")
_OPENING = re.compile(r"^(?:<{7}(?![<\w])|[ \t]*[<-]{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b)", re.MULTILINE)
_CLOSING = re.compile(r"^(?:>{7}(?![>\w])|[ \t]*[>+]{5,9} ?(?:REPLACE|UPDATED)\b)", re.MULTILINE)
_BEGINNINGS = frozenset(character * 5 for character in "<>|=-+")

_TAG = re.compile(rf"\s*<(/?)({TOOL_TAGS})(?:\s[^<>]*[^<>/])?\s*>\s*$")
# These end a turn in chat templates; no pair could balance them.
_TOKEN = re.compile(r"\s*<\|(?:im_start|im_end|endoftext|eot_id|end_of_turn|tool_call|/tool_call)\|>\s*$")
# What a viewer of files says about the lines it leaves out.
_NOTICE = re.compile(
    r"\s*\[(?:Showing|Lines?|Output|Truncated|\.\.\.)[^\]]*(?:lines?|truncated|\d+ more)[^\]]*\]\s*$", re.IGNORECASE
)


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every marker, and for every line that is nothing but a tag of a tool call without its partner."""
    # Most lines begin with none of these; the test is cheaper than the patterns.
    suspects = [line for line in added if line.text.lstrip()[:5] in _BEGINNINGS]
    dividers = range(0)
    if any(_DIVIDER.match(line.text) for line in suspects):
        # Between the first opening and the last closing marker; elsewhere equals signs underline headings.
        text = change.after or ""
        opening, closings = _OPENING.search(text), [closing.start() for closing in _CLOSING.finditer(text)]
        if opening and closings:
            dividers = range(text.count("\n", 0, opening.start()) + 2, text.count("\n", 0, closings[-1]) + 1)
    for line in suspects:
        is_divider = line.number in dividers and _DIVIDER.match(line.text)
        if is_divider or _CONFLICT.match(line.text) or _BLOCK.match(line.text):
            message = f"leaves the marker {line.text.strip()[:60]!r} in the file"
            yield Finding("conflict-marker", "error", change.target, line.number, message)
    for line in _stray_tags(change, added):
        message = f"leaves {line.text.strip()[:60]!r}, part of a tool call, in the file"
        yield Finding("tool-tag", "error", change.target, line.number, message)


def _stray_tags(change: Change, added: tuple[Line, ...]) -> Iterator[Line]:
    before, after = change.before.text if change.before else "", change.after or ""
    unbalanced: dict[str, bool] = {}
    for line in added:
        if "<" not in line.text:
            continue
        if _TOKEN.match(line.text):
            yield line
        elif tag := _TAG.match(line.text):
            name = tag[2]
            if name not in unbalanced:
                # Files may well use elements of these names, but then they close them.
                surplus = _surplus(name, after)
                unbalanced[name] = surplus != 0 and surplus != _surplus(name, before)
            if unbalanced[name]:
                yield line


def _surplus(name: str, text: str) -> int:
    opened = re.findall(rf"<{re.escape(name)}(?:\s[^<>]*[^<>/])?\s*>", text)
    return len(opened) - text.count(f"</{name}>")


def in_edit(added: list[str], before: str, *, is_diff: bool = False) -> Misfit | None:
    """What in the added lines is markup of the reply rather than content; a file that has such lines may get more.

    Every line that a diff adds has its sign, so a whole patch among them is one that is written about.
    """
    depth: dict[str, int] = {}
    patches = 0
    for line in added:
        if not ("<" in line or ">" in line or "*" in line or "[" in line or "-" in line or "+" in line):
            continue
        if is_diff and (patch := _PATCH.match(line)):
            patches += -1 if patch[1] else 1
        elif line.strip() in before:
            continue
        elif tag := _TAG.match(line):
            depth[tag[2]] = depth.get(tag[2], 0) + (-1 if tag[1] else 1)
        elif _BLOCK.match(line) or _PATCH.match(line):
            return _markup("conflict-marker", line)
        elif _NOTICE.match(line) or _TOKEN.match(line):
            return _markup("tool-tag", line)
    if patches:
        return _markup("conflict-marker", "*** Begin Patch")
    return next((_markup("tool-tag", f"<{name}>") for name, surplus in depth.items() if surplus), None)


def _markup(code: Code, text: str) -> Misfit:
    message = f"the new text contains {text.strip()!r}, which is markup of the reply and not content"
    return Misfit(code, message, "Send the edit again with nothing but file content in its new lines.")
