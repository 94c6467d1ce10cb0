"""Edits as JSON objects, as tool calls carry them.

    reply    = object | "[" object, … "]"               in a fence, tool tags or prose; as the arguments of a tool call
    object   = {path, "edits": edit | [edit, …] | a string that holds these}
             | {path, edit's own keys}
             | {"command": "str_replace" | "create" | "insert", path, …}
    edit     = {"range": {"start", "end"}?, old?, new, replace_all?}
    path     = "path" | "file_path" | "filePath" | "target_file" | "file" | "filename"
    old      = "oldText" | "old_string" | "old_str" | …        new = "newText" | "new_string" | "new_str" | …

With an old text the range is a hint; without one it tells which lines give way (1-based, inclusive, `end = start - 1`
inserts; 0 and 0 say nothing). An empty old text makes a new file. An unknown key is an error, never ignored.
"""

from __future__ import annotations

import re
from contextlib import suppress

from inlay.engine.formats.format import MOST_PARTS, Claim, CutOff, Format, Opening, TooMany, Unreadable
from inlay.engine.formats.json_objects import NEWS, OLDS, PATHS, PAYLOADS, NotAnEdit, is_edit, parts_of
from inlay.engine.formats.loose_json import Faulty, Open, value_at
from inlay.model.edit import Part

PROMPT = """\
Answer with one JSON object per file and nothing else:

{"path": "src/prices.py", "edits": [
  {"range": {"start": 12, "end": 13},
   "oldText": "        total += item.price\\n    return total",
   "newText": "        total += item.price * item.count\\n    return total"}
]}

Rules:
- `range` gives the lines to replace, counted from 1, both ends included.
- To insert before line n, write start n and end n - 1.
- `oldText` repeats those lines exactly, with their indentation; it may be left out, but then the range alone decides.
- `oldText` holds enough lines to occur only once in the file.
- `newText` holds every line that shall stand there afterwards, with no "..." for omitted code; "" deletes the lines.
- All ranges refer to the file as it is now, and must not overlap.
- Inside strings write \\n for a line break, \\t for a tab, \\" for a quote and \\\\ for a backslash.
"""

_TELLING = re.compile(r'\\?"(?:edits|' + "|".join((*OLDS[:8], *NEWS[:7], "file_text", "insert_line")) + r')\\?"\s*:')
_OPENING = re.compile(r"^(?:[^\n{\[\"]{0,80}?[>(:`=][ \t]?)?[ \t]{0,40}(?:\[\s*)?\{\s*\"", re.M)
_ADVICE = 'Write {"path": …, "edits": [{"range": {"start": …, "end": …}, "oldText": …, "newText": …}]}.'
_BRACKET = re.compile(r"[{\[]")
_NEXT = re.compile(r"[ \t,;]*+(?:\[|\{)")


def read(at: Opening) -> Claim | int:
    reply = at.reply
    bracket = _BRACKET.search(reply.text, reply.starts[at.line])
    parts: list[Part] = []
    end = at.line + 1
    while bracket is not None:
        start = bracket.end() - 1
        found = value_at(reply.text, start)
        if isinstance(found, Open):
            # JSON that breaks off is an edit cut off if any of it says so; what was complete is listed but never lands.
            if not parts and not _TELLING.search(reply.text, start):
                return len(reply.lines)
            with suppress(NotAnEdit):
                parts += parts_of(found.complete) if is_edit(found.complete) else []
            raise CutOff("the reply ends inside JSON", len(reply.lines), parts=tuple(parts))
        end = reply.line_at(max(start, found.end - 1)) + 1
        if isinstance(found, Faulty):
            # Faulty JSON is an error only if it is an edit; else it is code.
            if not _TELLING.search(reply.text, start, found.end):
                return at.line + 1
            raise Unreadable(f"line {at.line + 1}: the JSON cannot be read, {found.reason}", end, advice=_ADVICE)
        parts += _understood(found.value, at.line, end)
        if len(parts) > MOST_PARTS:
            raise TooMany(end)
        # A second value on the line where one ends must not get lost.
        bracket = _NEXT.match(reply.text, found.end)
    return Claim(at.line, end, tuple(parts)) if parts else end


def _understood(value: object, line: int, end: int) -> list[Part]:
    if is_edit(value):
        try:
            return parts_of(value)
        except NotAnEdit as refused:
            raise Unreadable(f"line {line + 1}: {refused}", end, advice=_ADVICE) from None
    # An object that names a file and holds a payload is an edit in a shape not known, and must not be passed over.
    names_file = isinstance(value, dict) and not value.keys().isdisjoint(PATHS)
    if isinstance(value, dict) and names_file and (payload := [key for key in value if key in PAYLOADS]):
        message = f"line {line + 1}: the key {payload[0]!r} is not known here"
        raise Unreadable(message, end, advice=_ADVICE)
    return []


FORMAT = Format(
    name="json_edits",
    aliases=("json", "old_new_json", "str_replace", "edit", "edits", "apply_edits"),
    title="JSON edits",
    prompt=PROMPT,
    marks=("edits", "file_text", "insert_line", "range", *OLDS, *(f'{key}"' for key in PATHS)),
    opening=_OPENING,
    read=read,
)
