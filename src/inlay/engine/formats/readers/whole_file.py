"""Whole files, each in a code fence with its name.

    reply    = (named fenced)+
    named    = a line that is a path, decorated or not, above the fence | a path in the fence's info string
             | "# file: " path as the first line inside
    fenced   = fence info? NL content fence

A tagged fence inside opens a nested block. A fence without a name is no file, unless this format was asked for and the
reply holds one fence only; nor is a shell command, nor a fence whose content is an edit in another format. A fence that
is tagged as a diff never holds a file, unless that file is a diff.
"""

from __future__ import annotations

import re

from inlay.engine.formats.envelope import Fence, closing_of, fence_on, is_settled
from inlay.engine.formats.format import Claim, CutOff, Format, Opening, Unreadable
from inlay.engine.formats.loose_blocks import is_block_like
from inlay.engine.formats.names import path_on
from inlay.model.edit import Overwrite

PROMPT = """\
Answer with the complete new content of every file that changes, each in a code fence below its path:

src/prices.py
```python
def total(items):
    return sum(item.price * item.count for item in items)
```

Rules:
- The path stands alone on the line above the fence, relative to the root of the project.
- The fence holds the whole file, every line in full, with no "..." and no "rest unchanged".
- If the file itself contains ``` lines, fence it with ````.
- Fence nothing else.
"""

_ADVICE = "Fence the file with more backticks than any line inside it has."
_OPENING = re.compile(r"^[ \t]{0,12}(?:```|~~~)", re.M)
_LABELLED = re.compile(
    r"[ \t]*(?:#|//|--|;|/\*|<!--)[ \t]*(?:file|filename|filepath|path)[ \t]*:[ \t]*(\S{1,200})[ \t]*(?:\*/|-->)?\s*$",
    re.I,
)
_ATTRIBUTE = re.compile(r"(?:title|file|filename|path|name)=[\"']?([^\"'\s}]+)")
_SHELL = frozenset(("bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "cmd", "bat", "fish"))
_DIFF = frozenset(("diff", "patch", "udiff"))
_CODE = re.compile(r"\.(?:py|js|ts|tsx|jsx|go|rs|rb|java|c|h|cpp|cs|php|md|json|toml|ya?ml|html|css)$", re.I)


def read(at: Opening) -> Claim | int:
    lines = at.reply.lines
    fence = fence_on(lines[at.line])
    if at.fence is not None or fence is None:
        return at.line + 1
    path, start, body = _name(at, fence.info)
    if path is None and not (at.asked and _is_only_fence(at, fence)):
        return at.line + 1
    if path is not None and fence.info.lower() in _SHELL and _CODE.search(path):
        return at.line + 1
    close = closing_of(fence, lines, at.line + 1, len(lines))
    tag = re.split(r"[\s:{]", fence.info.lower(), maxsplit=1)[0]
    if tag in _DIFF and not (path or "").lower().endswith((".diff", ".patch", ".rej")):
        message = (
            f"line {at.line + 1}: the fence for {path or 'the file'} is tagged as a diff, and no hunk in it can be read"
        )
        advice = "Send the diff with its headers (---, +++, @@), or the whole file in a fence of its own language."
        raise Unreadable(message, len(lines) if close is None else close + 1, advice=advice)
    if close is None:
        raise CutOff(f"the reply ends inside the file {path or 'it writes'}", len(lines))
    if not is_settled(fence, lines, close, len(lines)) and not path_on(lines[close + 1]):
        message = f"line {close + 1}: it is not clear which fence closes the file {path or ''}"
        raise Unreadable(message.rstrip(), len(lines), code="ambiguous", advice=_ADVICE)
    if is_block_like(lines[body:close]):
        message = f"line {body + 1}: the fence for {path or 'the file'} begins with the marker of an edit"
        raise Unreadable(message, close + 1, advice="Write the edit in one of the formats, or the whole file.")
    content = "".join(f"{line}\n" for line in lines[body:close])
    return Claim(start, close + 1, (Overwrite(path, content),))


def _name(at: Opening, info: str) -> tuple[str | None, int, int]:
    """The file's name, the line where it stands or the fence's, and where the content begins."""
    lines = at.reply.lines
    if name := _in_info(info):
        return name, at.line, at.line + 1
    above = at.line - 1
    above -= above > at.floor and not lines[above].strip()
    if above >= at.floor and (name := path_on(lines[above])):
        return name, above, at.line + 1
    below = lines[at.line + 1][:300] if at.line + 1 < len(lines) else ""
    if (label := _LABELLED.match(below)) and (name := path_on(label.group(1))):
        return name, at.line, at.line + 2
    return None, at.line, at.line + 1


def _in_info(info: str) -> str | None:
    """A path in an info string: `python src/app.py`, `python:src/app.py`, `src/app.py`, `python title="src/app.py"`."""
    if len(info) > 300 or not info:
        return None
    if found := _ATTRIBUTE.search(info):
        return path_on(found.group(1))
    last = info.rsplit(maxsplit=1)[-1]
    _, colon, behind = last.partition(":")
    return path_on(behind if colon and behind else last)


def _is_only_fence(at: Opening, fence: Fence) -> bool:
    """Whether a fence without a name can only be the file that the caller has asked for."""
    lines = at.reply.lines
    first = _OPENING.search(at.reply.text)
    if first is None or at.reply.line_at(first.start()) != at.line:
        return False
    close = closing_of(fence, lines, at.line + 1, len(lines))
    return close is None or not any(map(fence_on, lines[close + 1 :]))


FORMAT = Format(
    name="whole_file",
    aliases=("whole", "file", "files"),
    title="Whole files",
    prompt=PROMPT,
    marks=("```", "~~~"),
    opening=_OPENING,
    read=read,
    fenced=True,
    whole=True,
)
