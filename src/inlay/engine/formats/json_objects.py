"""What JSON objects mean as edits: which keys say what, and how texts become lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inlay.engine.formats.loose_json import Value, value_at
from inlay.model.edit import Block, Create, Edit, Part, Splice, Update

PATHS = ("path", "file_path", "filePath", "target_file", "file", "filename", "filepath")
OLDS = ("oldText", "old_text", "old_string", "oldString", "old_str", "oldStr", "old", "search", "find")
NEWS = (
    *("newText", "new_text", "new_string", "newString", "new_str", "newStr", "new"),
    *("replace", "replacement", "insert_text"),
)
_ALLS = ("replace_all", "replaceAll", "allow_multiple")
_REMARKS = ("description", "explanation", "instruction", "instructions", "reason")
_CALLS = ("arguments", "args", "input", "parameters", "function", "tool_input")
_OTHERS = ("range", "edits", "command", "file_text", "insert_line", "expected_replacements")
_KNOWN = frozenset((*PATHS, *OLDS, *NEWS, *_ALLS, *_REMARKS, *_OTHERS))
_SIGNS = frozenset((*OLDS[:6], "edits", "file_text", "insert_line"))
_WEAK_SIGNS = frozenset((*OLDS[6:], "range"))
PAYLOADS = frozenset(("content", "contents", "code", "text", "diff", "patch", *NEWS))
_BESIDE_EDITS = frozenset(("edits", *PATHS, *_REMARKS))
_BREAK = re.compile(r"\r\n|\n|\r")
_DEEPEST = 5


class NotAnEdit(Exception):
    """The JSON is whole, but is no edit that can be understood."""


def is_edit(value: object, depth: int = 0) -> bool:
    """Whether a value holds an edit, perhaps inside a list or a tool call."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        return any(is_edit(item, depth + 1) for item in value)
    return isinstance(value, dict) and (_has_edit_keys(value) or is_edit(_inner_call(value), depth + 1))


def _has_edit_keys(value: dict[str, object]) -> bool:
    """Words such as "search" are too common to tell an edit by, unless a new text stands beside them."""
    keys = value.keys()
    return bool(_SIGNS & keys) or (bool(_WEAK_SIGNS & keys) and not keys.isdisjoint(NEWS))


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


def parts_of(value: object, depth: int = 0) -> list[Part]:
    """All edits of a value, file by file; raises NotAnEdit where it cannot be understood."""
    if isinstance(value, list):
        return [part for each in value for part in parts_of(each, depth + 1)]
    if not isinstance(value, dict) or depth > _DEEPEST:
        raise NotAnEdit("a list of edits contains something else")
    if not _has_edit_keys(value) and (inner := _inner_call(value)) is not None:
        return parts_of(inner, depth + 1)
    return _edits_of(value) if "edits" in value else [_single(value)]


def _edits_of(value: dict[str, object]) -> list[Part]:
    edits = value["edits"]
    if isinstance(edits, str):
        edits = _from_string(edits)
    edits = [edits] if isinstance(edits, dict) else edits
    if not isinstance(edits, list) or not edits:
        raise NotAnEdit("`edits` is not a list of edits")
    if beside := [key for key in value if key not in _BESIDE_EDITS]:
        raise NotAnEdit(f"the key {str(beside[0])[:60]!r} is not known beside `edits`")
    path = _text(value, PATHS)
    parts = [_single(edit, path) for edit in edits]
    if any(not isinstance(part, Update) or part.path != path for part in parts):
        return parts
    return [Update(path, tuple(edit for part in parts if isinstance(part, Update) for edit in part.edits))]


def _single(value: object, outer: str | None = None) -> Part:
    if not isinstance(value, dict):
        raise NotAnEdit("`edits` contains something that is not an edit")
    if unknown := [key for key in value if key not in _KNOWN]:
        raise NotAnEdit(f"the key {str(unknown[0])[:60]!r} is not known here")
    path = _text(value, PATHS) or outer
    command = value.get("command", "str_replace")
    if command not in ("str_replace", "create", "insert"):
        raise NotAnEdit(f"the command {str(command)[:60]!r} is no edit")
    if "file_text" in value or command == "create":
        content = _text(value, ("file_text",))
        if path is None or content is None:
            raise NotAnEdit("a new file needs a path and a `file_text`")
        return Create(path, content)
    new = _text(value, NEWS)
    if path is not None and new and _text(value, OLDS) == "" and not _range(value)[0]:
        return Create(path, new)
    return Update(path, (_edit(value),))


def _edit(value: dict[str, object]) -> Edit:
    old, new = _text(value, OLDS), _text(value, NEWS)
    if new is None:
        raise NotAnEdit(f"an edit has no new text (`{NEWS[0]}`)")
    if value.get("expected_replacements", 1) != 1:
        raise NotAnEdit("`expected_replacements` other than 1 is not known here; use `replace_all`")
    everywhere = any(value.get(key) is True for key in _ALLS)
    description = _text(value, _REMARKS[:1]) or ""
    start, end = _range(value)
    if old is None and not start:
        raise NotAnEdit("an edit has neither an old text nor a range")
    if old is None or (not old and start and end == start - 1):
        return Edit(0, (Splice(start, end, _ended(new)),), description=description)
    if not old and start and end >= start and end > 1:
        raise NotAnEdit("an edit gives lines to replace, but an empty old text")
    blocks = _blocks(old, new, by_lines="range" in value)
    # Where the range counts the lines of one reading only, that is the one.
    blocks = tuple(block for block in blocks if start and len(block.find) == end - start + 1) or blocks
    return Edit(0, blocks, line=start or None, everywhere=everywhere, description=description)


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
    raise NotAnEdit("`range` must have `start` and `end`")


def _number(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise NotAnEdit(f"{str(value)[:40]!r} is no line number")
    return value


def _text(value: dict[str, object], keys: Sequence[str]) -> str | None:
    found = {key: value[key] for key in keys if value.get(key) is not None}
    if len(set(map(str, found.values()))) > 1:
        raise NotAnEdit(f"{' and '.join(f'`{key}`' for key in found)} say the same thing twice")
    for key, text in found.items():
        if not isinstance(text, str):
            raise NotAnEdit(f"`{key}` must be a string")
        return text
    return None


def _blocks(old: str, new: str, *, by_lines: bool) -> tuple[Block, ...]:
    """Whole lines; a line break at the end of the old text ends its last line, and then the same holds for the new.

    An empty new text removes lines where lines are counted, and leaves an empty one where only text is replaced.
    """
    if not old:
        return (Block((), _ended(new)),)
    find = tuple(_BREAK.split(old))
    literal = Block(find, tuple(_BREAK.split(new)) if new or not by_lines else ())
    if find[-1]:
        return (literal,)
    ended = Block(find[:-1], _ended(new))
    # Where only the old text ends in a break, it may mean a blank line that the new text does without.
    return (ended, literal) if new and literal.replace == ended.replace else (ended,)


def _ended(text: str) -> tuple[str, ...]:
    lines = tuple(_BREAK.split(text))
    return lines if lines[-1] else lines[:-1]
