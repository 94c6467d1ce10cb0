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
from collections.abc import Sequence
from contextlib import suppress

from inlay.formats.format import MOST_PARTS, Claim, CutOff, Format, Opening, TooMany, Unreadable
from inlay.formats.loose_json import Faulty, Open, Value, value_at
from inlay.model.edit import Block, Create, Edit, Part, Splice, Update

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

_PATHS = ("path", "file_path", "filePath", "target_file", "file", "filename", "filepath")
_OLDS = ("oldText", "old_text", "old_string", "oldString", "old_str", "oldStr", "old", "search", "find")
_NEWS = (
    "newText",
    "new_text",
    "new_string",
    "newString",
    "new_str",
    "newStr",
    "new",
    "replace",
    "replacement",
    "insert_text",
)
_ALLS = ("replace_all", "replaceAll", "allow_multiple")
_REMARKS = ("description", "explanation", "instruction", "instructions", "reason")
_CALLS = ("arguments", "args", "input", "parameters", "function", "tool_input")
_CALL_KEYS = frozenset((*_CALLS, "name", "type", "id", "tool", "recipient_name", "call_id"))
_OTHERS = ("range", "edits", "command", "file_text", "insert_line", "expected_replacements")
_KNOWN = frozenset((*_PATHS, *_OLDS, *_NEWS, *_ALLS, *_REMARKS, *_OTHERS))
_TELLING = re.compile(r'\\?"(?:edits|' + "|".join((*_OLDS[:8], *_NEWS[:7], "file_text", "insert_line")) + r')\\?"\s*:')
_OPENING = re.compile(r"^(?:[^\n{\[\"]{0,80}?[>(:`=]\s?)?[ \t]{0,40}(?:\[\s*)?\{\s*\"", re.M)
_ADVICE = 'Write {"path": …, "edits": [{"range": {"start": …, "end": …}, "oldText": …, "newText": …}]}.'
_BRACKET = re.compile(r"[{\[]")
_NEXT = re.compile(r"[ \t,;]*+(?:\[|\{)")
_SIGNS = frozenset((*_OLDS[:6], "edits", "file_text", "insert_line"))
_WEAK_SIGNS = frozenset((*_OLDS[6:], "range"))
_PAYLOADS = frozenset(("content", "contents", "code", "text", "diff", "patch", *_NEWS))
_BESIDE_EDITS = frozenset(("edits", *_PATHS, *_REMARKS))
_BREAK = re.compile(r"\r\n|\n|\r")
_DEEPEST = 5


class _Refused(Exception):
    """The JSON is whole, but is no edit that can be understood."""


def read(at: Opening) -> Claim | int:
    """The objects and lists that open on a line."""
    reply = at.reply
    start: int | None = _bracket(reply.text, reply.starts[at.line])
    parts: list[Part] = []
    end = at.line + 1
    while start is not None:
        found = value_at(reply.text, start)
        if isinstance(found, Open):
            return _cut_off(at, start, found, parts)
        end = reply.line_at(max(start, found.end - 1)) + 1
        if isinstance(found, Faulty):
            return _faulty(at, start, found, end)
        parts += _understood(found, at.line, end)
        if len(parts) > MOST_PARTS:
            raise TooMany(end)
        start = _next_on_line(reply.text, found.end)
    return Claim(at.line, end, tuple(parts)) if parts else end


def _bracket(text: str, start: int) -> int | None:
    found = _BRACKET.search(text, start)
    return found.start() if found else None


def _next_on_line(text: str, end: int) -> int | None:
    """A second value on the line where one ends, which must not get lost."""
    found = _NEXT.match(text, end)
    return found.end() - 1 if found else None


def _understood(found: Value, line: int, end: int) -> list[Part]:
    if not _is_edit(found.value, 0):
        _refuse_near_edit(found.value, line, end)
        return []
    try:
        return _parts(found.value, 0)
    except _Refused as refused:
        raise Unreadable(f"line {line + 1}: {refused}", end, advice=_ADVICE) from None


def _refuse_near_edit(value: object, line: int, end: int) -> None:
    """An object that names a file and holds a payload is an edit in a shape not known, and must not be passed over."""
    if not isinstance(value, dict) or value.keys().isdisjoint(_PATHS):
        return
    if payload := [key for key in value if key in _PAYLOADS]:
        message = f"line {line + 1}: the key {payload[0]!r} is not known here"
        raise Unreadable(message, end, advice=_ADVICE)


def _cut_off(at: Opening, start: int, found: Open, parts: list[Part]) -> int:
    """JSON that breaks off is an edit cut off if any of it says so; what was complete is listed but never lands."""
    if not parts and not _TELLING.search(at.reply.text, start):
        return len(at.reply.lines)
    with suppress(_Refused):
        parts += _parts(found.complete, 0) if _is_edit(found.complete, 0) else []
    raise CutOff("the reply ends inside JSON", len(at.reply.lines), parts=tuple(parts))


def _faulty(at: Opening, start: int, found: Faulty, end: int) -> int:
    """Faulty JSON is an error only if it is an edit; else it is somebody's code."""
    if not _TELLING.search(at.reply.text, start, found.end):
        return at.line + 1
    raise Unreadable(f"line {at.line + 1}: the JSON cannot be read, {found.reason}", end, advice=_ADVICE)


# --- meaning -------------------------------------------------------------------------------------------------------


def _is_edit(value: object, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        return any(_is_edit(each, depth + 1) for each in value)
    if not isinstance(value, dict):
        return False
    return _has_edit_keys(value) or _is_edit(_inner_call(value), depth + 1)


def _has_edit_keys(value: dict[str, object]) -> bool:
    """Words such as "search" are too common to tell an edit by, unless a new text stands beside them."""
    keys = value.keys()
    return bool(_SIGNS & keys) or (bool(_WEAK_SIGNS & keys) and not keys.isdisjoint(_NEWS))


def _inner_call(call: dict[str, object]) -> object:
    """What a tool call hands over, which may be JSON inside a string."""
    for key in _CALLS:
        inner = call.get(key)
        if isinstance(inner, str):
            inner = _from_string(inner)
        if isinstance(inner, dict | list):
            return inner
    return None


def _from_string(text: str) -> object:
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] not in ("{", "["):
        return None
    found = value_at(text, start)
    return found.value if isinstance(found, Value) and not text[found.end :].strip() else None


def _parts(value: object, depth: int) -> list[Part]:
    if isinstance(value, list):
        return [part for each in value for part in _parts(each, depth + 1)]
    if not isinstance(value, dict) or depth > _DEEPEST:
        raise _Refused("a list of edits holds something else")
    if not _has_edit_keys(value) and (inner := _inner_call(value)) is not None:
        return _parts(inner, depth + 1)
    return _edits_of(value) if "edits" in value else [_single(value)]


def _edits_of(value: dict[str, object]) -> list[Part]:
    edits = value["edits"]
    if isinstance(edits, str):
        edits = _from_string(edits)
    edits = [edits] if isinstance(edits, dict) else edits
    if not isinstance(edits, list) or not edits:
        raise _Refused("`edits` holds no list of edits")
    if beside := [key for key in value if key not in _BESIDE_EDITS]:
        raise _Refused(f"the key {str(beside[0])[:60]!r} is not known beside `edits`")
    path = _text(value, _PATHS)
    parts = [_single(edit, path) for edit in edits]
    if any(not isinstance(part, Update) or part.path != path for part in parts):
        return parts
    return [Update(path, tuple(edit for part in parts if isinstance(part, Update) for edit in part.edits))]


def _single(value: object, outer: str | None = None) -> Part:
    """An object that is one edit, or one command of the text-editor tool."""
    if not isinstance(value, dict):
        raise _Refused("`edits` holds something that is no edit")
    if unknown := [key for key in value if key not in _KNOWN]:
        raise _Refused(f"the key {str(unknown[0])[:60]!r} is not known here")
    path = _text(value, _PATHS) or outer
    command = value.get("command", "str_replace")
    if command not in ("str_replace", "create", "insert"):
        raise _Refused(f"the command {str(command)[:60]!r} is no edit")
    if "file_text" in value or command == "create":
        return _created(value, path)
    return Update(path, (_edit(value),))


def _created(value: dict[str, object], path: str | None) -> Create:
    content = _text(value, ("file_text",))
    if path is None or content is None:
        raise _Refused("a new file needs a path and a `file_text`")
    return Create(path, content)


def _edit(value: dict[str, object]) -> Edit:
    old, new = _text(value, _OLDS), _text(value, _NEWS)
    if new is None:
        raise _Refused(f"an edit has no new text (`{_NEWS[0]}`)")
    if value.get("expected_replacements", 1) != 1:
        raise _Refused("`expected_replacements` other than 1 is not known here; use `replace_all`")
    everywhere = any(value.get(key) is True for key in _ALLS)
    description = _text(value, _REMARKS[:1]) or ""
    start, end = _range(value)
    if old is None or (not old and start and end == start - 1):
        return Edit(0, (_splice(start, end, new),), description=description)
    if not old and start and end >= start and end > 1:
        raise _Refused("an edit gives lines to replace, but an empty old text")
    return Edit(0, _blocks(old, new), line=start or None, everywhere=everywhere, description=description)


def _range(value: dict[str, object]) -> tuple[int, int]:
    """First and last line; zeros where nothing is said."""
    if "insert_line" in value:
        line = _number(value["insert_line"])
        return line + 1, line
    bounds = value.get("range")
    if bounds is None:
        return 0, 0
    if isinstance(bounds, dict) and bounds.keys() == {"start", "end"}:
        return _number(bounds["start"]), _number(bounds["end"])
    if isinstance(bounds, list) and len(bounds) == 2:
        return _number(bounds[0]), _number(bounds[1])
    raise _Refused("`range` must hold `start` and `end`")


def _number(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise _Refused(f"{str(value)[:40]!r} is no line number")
    return value


def _text(value: dict[str, object], keys: Sequence[str]) -> str | None:
    """The one string under any of several names for the same thing."""
    found = {key: value[key] for key in keys if value.get(key) is not None}
    if len(set(map(str, found.values()))) > 1:
        raise _Refused(f"{' and '.join(f'`{key}`' for key in found)} say the same thing twice")
    for key, text in found.items():
        if not isinstance(text, str):
            raise _Refused(f"`{key}` must be a string")
        return text
    return None


def _blocks(old: str, new: str) -> tuple[Block, ...]:
    """Whole lines; a line break at the end of the old text ends its last line, and then the same holds for the new."""
    if not old:
        return (Block((), _ended(new)),)
    find = tuple(_BREAK.split(old))
    literal = Block(find, tuple(_BREAK.split(new)) if new else ())
    if find[-1]:
        return (literal,)
    ended = Block(find[:-1], _ended(new))
    # Where only the old text ends in a break, it may mean a blank line that the new text does without.
    return (ended, literal) if new and literal.replace == ended.replace else (ended,)


def _splice(start: int, end: int, new: str) -> Splice:
    if not start:
        raise _Refused("an edit has neither an old text nor a range")
    return Splice(start, end, _ended(new))


def _ended(text: str) -> tuple[str, ...]:
    lines = tuple(_BREAK.split(text))
    return lines if lines[-1] else lines[:-1]


FORMAT = Format(
    name="json_edits",
    aliases=("json", "old_new_json", "str_replace", "edit", "edits", "apply_edits"),
    title="JSON edits",
    prompt=PROMPT,
    marks=("edits", "file_text", "insert_line", "range", *_OLDS, *(f'{key}"' for key in _PATHS)),
    opening=_OPENING,
    read=read,
)
