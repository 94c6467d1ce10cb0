"""What stands around edits in a reply: lines, code fences, file names, tool tags, shell commands and prose."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

_CONVERTED = re.compile(r"\r\r++\n?")
_FENCE = re.compile(r"([ \t]*+)(`{3,}+|~{3,}+)(.*)", re.S)
_HTML_FENCE = re.compile(r"[ \t]*</?(?:source|code|pre|codeblock|sourcecode)>\w*[ \t]*$")


class Reply:
    """The reply as lines; only CR, LF and CRLF end a line, since other separators are content.

    Several CRs before an LF are one line end that was converted more than once.
    """

    def __init__(self, text: str) -> None:
        if "\r\r" in text:
            text = _CONVERTED.sub(lambda run: "\n" if run.group().endswith("\n") else run.group(), text)
        self._written = text
        self.text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    @cached_property
    def returns(self) -> frozenset[int]:
        """The lines that end in CR LF, where others end in LF: git prints its own lines so, and content as it is."""
        count = self._written.count("\r\n")
        if not count or count != self._written.count("\r") or count == self._written.count("\n"):
            return frozenset()
        return frozenset(n for n, line in enumerate(self._written.split("\n")) if line.endswith("\r"))

    def part(self, first: int, end: int) -> Reply:
        """Some of the lines, with the endings they have."""
        return Reply("".join(f"{self.lines[n]}{self.ending(n)}" for n in range(first, end)))

    def ending(self, line: int) -> str:
        return "\r\n" if line in self.returns else "\n"

    @cached_property
    def lines(self) -> list[str]:
        lines = self.text.split("\n")
        if not lines[-1]:
            lines.pop()
        return lines

    @cached_property
    def starts(self) -> list[int]:
        """Offset of every line in the text, and of the end."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1


class Fence(NamedTuple):
    indent: int
    mark: str  #: the backticks or tildes
    info: str  #: what follows them

    def governs(self, inner: Fence) -> bool:
        """Whether a fence line inside this block is able to close it or to open a nested one."""
        return inner.mark.startswith(self.mark) and inner.indent <= self.indent


def fence_on(line: str) -> Fence | None:
    found = _FENCE.match(line)
    if found is None:
        return None
    indent, mark, info = found.groups()
    # Inline code such as ```x``` is no fence.
    return None if "`" in info and mark[0] == "`" else Fence(len(indent), mark, info.strip())


def closing_of(fence: Fence, lines: Sequence[str], start: int, stop: int) -> int | None:
    """The line that closes a block whose content begins at `start`: a tagged fence inside opens a nested block."""
    depth = 0
    for number in range(start, stop):
        inner = fence_on(lines[number])
        if inner is None or not fence.governs(inner):
            continue
        if inner.info:
            depth += 1
        elif depth == 0:
            return number
        else:
            depth -= 1
    return None


def is_settled(fence: Fence, lines: Sequence[str], close: int, stop: int) -> bool:
    """Whether a closing fence surely is one: an untagged fence soon below could as well make it an opening one."""
    if close + 1 >= stop or not lines[close + 1].strip():
        return True  # models leave a blank line below a block, and hardly ever begin one with a blank line
    for number in range(close + 1, stop):
        if (below := fence_on(lines[number])) and fence.governs(below):
            return bool(below.info)
    return True


class FenceWalk:
    """Which fence is open at a line, for lines asked in ascending order, so that a reply is walked once only."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._open: list[Fence] = []

    def at(self, line: int) -> Fence | None:
        for number in range(self._at, line):
            fence = fence_on(self._lines[number])
            if fence is None or (self._open and not self._open[-1].governs(fence)):
                continue
            if self._open and not fence.info:
                self._open.pop()
            else:
                self._open.append(fence)
        self._at = max(self._at, line)
        return self._open[-1] if self._open else None

    def skip(self, line: int) -> None:
        """Go on behind an edit; fences inside it are its content."""
        self._at = max(self._at, line)


def next_solid(lines: Sequence[str], line: int) -> int:
    """The first line from here on that is not blank, or the number of lines."""
    while line < len(lines) and not lines[line].strip():
        line += 1
    return line


def is_html_fence(line: str) -> bool:
    """Whether a line is one of the tags that some prompts use in place of a fence."""
    return _HTML_FENCE.match(line) is not None


#: Names of the tags that models write around tool calls, their arguments and their results, as a pattern.
TOOL_TAGS = (
    r"tool_calls?|tool_use|tool_results?|tool_responses?|function_calls?|function_results?|function|invoke|parameters?"
    r"|thinking|file_content|arg_key|arg_value|patch|apply_patch|edit|antml:\w+"
)
# Around a patch these are a tool's as well; in a file they are content.
_TAG = re.compile(
    rf"[ \t]*(</?(?:{TOOL_TAGS}|functions|function=[^>]*|parameter=[^>]*|arguments|input|output|diff|edits|result"
    r"|answer|response)\b[^>]*>)[ \t]*$"
)
_SHELL = re.compile(
    r"(?:\$ )?(?:%%\w+|#!/\S+|cd .*&&.*|.*\b(?:apply_?patch|cat|patch|git apply)\b.*<<.*|apply_patch.{0,20}"
    r"|EOF|PATCH|END|[)\]}'\"]+|\{\"(?:cmd|command|name|input|patch)\".*)$"
)
_MOST_LOOKED_AT = 50
_LONGEST_WRAPPER = 300  # longer lines are prose whatever they begin with


def is_tool_tag(line: str) -> bool:
    return len(line) <= _LONGEST_WRAPPER and line.lstrip(" \t").startswith("<") and _TAG.match(line) is not None


def wrapping_in(lines: Sequence[str]) -> list[str]:
    """Short descriptions of the kinds of text that belong to no edit, from either end of a gap between edits."""
    edges = lines if len(lines) <= 2 * _MOST_LOOKED_AT else [*lines[:_MOST_LOOKED_AT], *lines[-_MOST_LOOKED_AT:]]
    kinds: dict[str, str] = {}
    for bare in filter(None, map(str.strip, edges)):
        if is_tool_tag(bare):
            kind = "tool tag"
        elif len(bare) <= _LONGEST_WRAPPER and _SHELL.match(bare):
            kind = "shell wrapper"
        elif fence_on(bare) or is_html_fence(bare):
            continue
        else:
            kind = "prose"
        kinds.setdefault(kind, f"{kind} {bare[:40]!r}")
    return list(kinds.values())


_DELIMITER = re.compile(r"[A-Z_]{2,20}[ \t]*")
_HERE_DOCUMENT = re.compile(r"[^\s@+-].{0,200}<<-?[ \t]?(['\"]?)([A-Z_]{2,20})\1(?:[ \t].*)?")


def ends_here_document(lines: Sequence[str], line: int) -> bool:
    """Whether a line is the word that a shell command above it ends its input with, and the last of its block."""
    if not _DELIMITER.fullmatch(word := lines[line]):
        return False
    below = next_solid(lines, line + 1)
    if below < len(lines) and not fence_on(lines[below]):
        return False
    opened = (found for n in range(line) if "<<" in lines[n] and (found := _HERE_DOCUMENT.fullmatch(lines[n])))
    return any(found[2] == word.rstrip() for found in opened)


_COLOUR = re.compile(r"\x1b\[[\d;]*[mK]")
_COLOURED_DIFF = re.compile(r"^(?:\x1b\[[\d;]*[mK]){1,3}(?:diff --git |@@|--- |\+\+\+ |[-+])", re.M)


def uncoloured(reply: str) -> str:
    """The reply without the colours of a terminal, where it has a diff that was copied from one."""
    return _COLOUR.sub("", reply) if "\x1b[" in reply and _COLOURED_DIFF.search(reply) else reply


_IN_LIST_ITEM = re.compile(
    r"^(?P<indent> {2,4})(?P<fence>`{3,9}|~{3,9})\w{0,20}\n(?P=indent)(?:\*\*\* Begin Patch|diff --git |--- |@@ ).*\n"
    r"(?:(?:(?P=indent).*|(?!(?P=indent))[ \t]*)\n)*?(?P=indent)(?P=fence)[ \t]*$",
    re.M,
)
_LIST_ITEM = re.compile(r"^(?:[-*+]|\d{1,3}[.)])[ \t]+\S", re.M)


def outdented(reply: str, is_edit: Callable[[str], bool]) -> str:
    """The reply with the patches in its list items at the margin; `is_edit` says whether a text has other edits."""
    if not _LIST_ITEM.search(reply) or not _IN_LIST_ITEM.search(reply) or is_edit(_IN_LIST_ITEM.sub("", reply)):
        return reply
    return _IN_LIST_ITEM.sub(lambda found: re.sub(rf"(?m)^{found['indent']}", "", found.group()), reply)


# Only a reply that is a tool call as a whole may hold its patch as a string; elsewhere a string is content.
_CALL = re.compile(r"\s*(?:<[\w:-]{1,40}>\s*|`{3,9}\w{0,20}\s*){0,3}[\[{\"]")
_QUOTED_PATCH = re.compile(
    r'(?<![\w\\])(?:"(?:patch|input|cmd|command|diff)"\s{0,9}:\s{0,9}|[\[,]\s{0,9}|^\s{0,9})\[?'
    r'("\*\*\* Begin Patch\\n[^"\\]*+(?:\\.[^"\\]*+)*+")',
    re.S,
)


def unquoted(reply: str) -> str:
    """The reply with a patch that was handed over as a JSON string written out in lines."""
    if '"*** Begin Patch\\n' not in reply or not _CALL.match(reply):
        return reply
    return _QUOTED_PATCH.sub(_written_out, reply)


def _written_out(found: re.Match[str]) -> str:
    if "*** End Patch" not in found.group(1):
        return found.group()
    try:
        return "\n" + str(json.loads(found.group(1), strict=False)).rstrip("\n") + "\n"
    except ValueError:
        return found.group()
