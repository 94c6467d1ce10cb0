"""Names as git quotes them in a diff: C-style where they hold a quote, a backslash or a control character."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.S)
_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13}
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.S)


def unquote(name: bytes) -> bytes:
    """The name without quotes and escapes; one that has no quotes is returned as it is."""
    found = _QUOTED.match(name)
    return _ESCAPE.sub(_unescape, found[1]) if found else name


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return bytes([_LETTERS[code]]) if code in _LETTERS else code
