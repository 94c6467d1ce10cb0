"""The part of YAML that configurations are written in; whatever else a file holds makes it unreadable, not misread.

    document = mapping | sequence | scalar, in block or flow style
    block    = lines at one indentation: `key: value`, `key:` with a deeper block, `- item`
    flow     = `[a, b]`, `{a: b}`, over several lines; scalars are plain, 'single' or "double" quoted

Anchors, tags, block scalars (`|`, `>`), merge keys, several documents, and tabs are refused.
"""

from __future__ import annotations

import json
import re

from inlay.commits.messages.unreadable import ConfigUnreadable

_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[\]{}#&*!|>'"%@`,?:-][^#:]*?|-[^\s#:][^#:]*?)\s*:(?:\s+|$)"""
)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'(?!')")
_PLAIN = re.compile(r"[\w./^$(\\~+<=-](?:[^\s\[\]{},:#'\"]|[:#](?=[^\s\[\]{},:])| )*")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d*)$")
_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
_Line = tuple[int, str]  # indentation and text


def read(text: str) -> object:
    """The value of a document; raises Unreadable where it is written in another part of YAML."""
    lines = _lines(text)
    if not lines:
        return None
    value, rest = _block(lines, 0, lines[0][0])
    if rest != len(lines):
        raise ConfigUnreadable(f"the indentation of {lines[rest][1]!r} fits nothing above it")
    return value


def _lines(text: str) -> list[_Line]:
    found: list[_Line] = []
    may_begin = True
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = _without_comment(raw).rstrip()
        begins, may_begin = may_begin and line == "---", may_begin and not line.strip()
        if begins or not line.strip():
            continue
        if "\t" in line[: len(line) - len(line.lstrip())] or line.startswith(("---", "...", "%")):
            raise ConfigUnreadable(f"line {number} is beyond the YAML that is read here")
        joined = found and _open(found[-1][1]) > 0
        if joined:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            found.append((len(line) - len(line.lstrip()), line.strip()))
    return found


def _without_comment(line: str) -> str:
    at = 0
    while at < len(line):
        begins = not line[:at].strip() or line[at - 1] in " [{,"
        if line[at] in "'\"" and begins:
            quoted = _QUOTED.match(line, at)
            if not quoted:
                raise ConfigUnreadable(f"the quotes in {line.strip()!r} do not close in the same line")
            at = quoted.end()
        elif line[at] == "#" and begins and line[at - 1 : at] not in ("[", "{", ","):
            return line[:at]
        else:
            at += 1
    return line


def _open(text: str) -> int:
    """How many flow brackets are still open."""
    bare = _QUOTED.sub("", text)
    value = bare.split(": ", 1)[-1].lstrip("- ") if not bare.lstrip("- ").startswith(("[", "{")) else bare
    return sum((c in "[{") - (c in "]}") for c in value) if value.lstrip("- ")[:1] in ("[", "{") else 0


def _block(lines: list[_Line], at: int, indent: int) -> tuple[object, int]:
    text = lines[at][1]
    if text == "-" or text.startswith("- "):
        return _sequence(lines, at, indent)
    if _KEY.match(text) and not text.startswith(("[", "{")):
        return _mapping(lines, at, indent)
    return _scalar(text), at + 1


def _sequence(lines: list[_Line], at: int, indent: int) -> tuple[list[object], int]:
    items: list[object] = []
    while at < len(lines) and lines[at][0] == indent and (lines[at][1] == "-" or lines[at][1].startswith("- ")):
        inner = lines[at][1][1:].lstrip()
        if not inner:
            value, at = _nested(lines, at + 1, indent + 1)
        else:
            # `- key: value` opens a block whose column is where the key stands.
            column = indent + len(lines[at][1]) - len(inner)
            lines[at] = (column, inner)
            value, at = _block(lines, at, column)
        items.append(value)
    return items, at


def _mapping(lines: list[_Line], at: int, indent: int) -> tuple[dict[str, object], int]:
    found: dict[str, object] = {}
    while at < len(lines) and lines[at][0] == indent:
        match = _KEY.match(lines[at][1])
        if not match:
            raise ConfigUnreadable(f"{lines[at][1]!r} is no `key: value`")
        key, rest = _scalar(match["key"]), lines[at][1][match.end() :].strip()
        if not isinstance(key, str) or key in found or key == "<<":
            raise ConfigUnreadable(f"the key {key!r} cannot stand there")
        if rest:
            found[key], at = _scalar(rest), at + 1
        else:
            found[key], at = _value_below(lines, at + 1, indent)
    if at < len(lines) and lines[at][0] > indent:
        raise ConfigUnreadable(f"{lines[at][1]!r} goes on with something that is no `key: value`")
    return found, at


def _value_below(lines: list[_Line], at: int, indent: int) -> tuple[object, int]:
    """What belongs to a key: a deeper block, or a sequence at the key's own column."""
    if at < len(lines) and lines[at][0] == indent and lines[at][1].startswith("- "):
        return _sequence(lines, at, indent)
    return _nested(lines, at, indent + 1)


def _nested(lines: list[_Line], at: int, least: int) -> tuple[object, int]:
    return _block(lines, at, lines[at][0]) if at < len(lines) and lines[at][0] >= least else (None, at)


def _scalar(text: str) -> object:
    if text[:1] in ("[", "{"):
        value, end = _flow(text, 0)
        if text[end:].strip():
            raise ConfigUnreadable(f"{text[end:].strip()!r} follows a list or table")
        return value
    return _quoted(text) if text[:1] in "'\"" and text else _plain(text)


def _quoted(text: str) -> str:
    if len(text) < 2 or text[-1] != text[0]:
        raise ConfigUnreadable(f"the quotes in {text!r} do not close")
    if text[0] == "'":
        if "'" in text[1:-1].replace("''", ""):
            raise ConfigUnreadable(f"the quotes in {text!r} do not close")
        return text[1:-1].replace("''", "'")
    try:
        return str(json.loads(text))  # the escapes of JSON are YAML's as well
    except ValueError:
        raise ConfigUnreadable(f"the escapes in {text!r} are not understood") from None


def _plain(text: str) -> object:
    if text.lower() in _CONSTANTS:
        return _CONSTANTS[text.lower()]
    if text.lower() in ("yes", "no", "on", "off"):
        raise ConfigUnreadable(f"{text!r} is a word for some readers and a truth for others")
    if not _PLAIN.fullmatch(text):
        raise ConfigUnreadable(f"{text!r} is plain text for some readers only; quotes would make it clear")
    if text[0] in "+-.0123456789":
        return _number(text)
    return text


def _number(text: str) -> object:
    """Readers differ about octals, exponents, times and dates, so only what all of them take for a number is one."""
    if _INTEGER.match(text):
        return int(text)
    if re.fullmatch(r"[-+]?(?:0|[1-9]\d*)\.\d+", text):
        return float(text)
    if re.fullmatch(r"[-+.][A-Za-z][^.]*", text) and text.lower().lstrip("+-.") not in ("inf", "nan"):
        return text
    raise ConfigUnreadable(f"{text!r} may be a number or not")


def _flow(text: str, at: int) -> tuple[object, int]:
    """A list or table in brackets, from `at`; the place after it as well."""
    opening, at = text[at], at + 1
    items: list[object] = []
    table: dict[str, object] = {}
    closing = "]" if opening == "[" else "}"
    while True:
        at = _skipped(text, at)
        if text[at : at + 1] == closing:
            return (items if opening == "[" else table), at + 1
        value, at = _flow_item(text, at)
        if opening == "{":
            at = _skipped(text, at)
            if text[at : at + 1] != ":":
                raise ConfigUnreadable(f"a table in {text!r} has a key without a value")
            key = value
            if not isinstance(key, str) or key in table or key == "<<":
                raise ConfigUnreadable(f"the key {key!r} cannot stand there")
            value, at = _flow_item(text, _skipped(text, at + 1))
            table[key] = value
        else:
            items.append(value)
        at = _skipped(text, at)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != closing:
            raise ConfigUnreadable(f"a list or table in {text!r} does not close")


def _flow_item(text: str, at: int) -> tuple[object, int]:
    if text[at : at + 1] in ("[", "{"):
        return _flow(text, at)
    match = re.compile(
        r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'(?!')|[^,\[\]{}:#'\"][^,\[\]{}#]*?(?=\s*(?:[,\]}]|:\s|:$))"
    ).match(text, at)
    if not match:
        raise ConfigUnreadable(f"{text[at:]!r} is not understood")
    return _scalar(match[0].strip()), match.end()


def _skipped(text: str, at: int) -> int:
    while text[at : at + 1] == " ":
        at += 1
    return at
