"""Split a diff of git into its sections, one for each file that changed, and parse their headers."""

from __future__ import annotations

import re

from inlay.commits.diff.git_diff import FileDiff, Status
from inlay.commits.diff.hunks import read as read_hunk
from inlay.errors import DiffMalformed

_GIT = b"diff --git "
_START = re.compile(rb"^diff --(?:git|cc|combined) ", re.M)
_NEXT = b"\ndiff --"
_KINDS: dict[bytes, Status] = {
    b"new file": "added",
    b"deleted ": "deleted",
    b"rename f": "renamed",
    b"copy fro": "copied",
}
_KIND = re.compile(rb"^(new file|deleted |rename f|copy fro)", re.M)
_MOVE = re.compile(rb"^(?:rename|copy) from ([^\n]*)\n(?:rename|copy) to ([^\n]*)\n", re.M)
_SIDES = re.compile(rb"^--- ([^\n]*)\n\+\+\+ ([^\n]*)\n", re.M)
_BINARY = re.compile(rb"^(?:Binary files .* differ|GIT binary patch)$", re.M | re.S)
_HEADER_LINE = re.compile(
    rb"(?:diff --|index |mode |old mode |new mode |new file mode |deleted file mode |(?:dis)?similarity index "
    rb"|rename from |rename to |copy from |copy to |--- |\+\+\+ |Binary files )[^\n]*\n"
)
# Names as git quotes them: C-style where they hold a quote, a backslash or a control character.
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.S)
_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13}
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.S)


def parse(data: bytes) -> tuple[FileDiff, ...]:
    """The sections of a diff in git's order; text before, between and after them is ignored."""
    first = _START.search(data)
    at = first.start() if first else len(data)
    files: list[FileDiff] = []
    # A line of a hunk begins with a blank, +, - or \, so one that begins with "diff --" is never within a hunk.
    while at < len(data):
        following = data.find(_NEXT, at) + 1 or len(data)
        files.append(_read(data[at:following]))
        at = following
    return tuple(files)


def _read(data: bytes) -> FileDiff:
    body = data.find(b"\n@@") + 1 or len(data)
    if body == len(data) or data[data.rfind(b"\n", 0, -1) + 1] not in b" +-\\":
        data = _trimmed(data, body)
        body = min(body, len(data))
    if not data.startswith(_GIT):
        return _combined(data, body)
    line = data.find(b"\n")
    if body < len(data) and data.startswith(b"index ", line + 1):
        name = _same(data[len(_GIT) : line])
        if name is not None:
            return FileDiff(name, name, "modified", data, body)
    return _extended(data, body, data[:body])


def _trimmed(data: bytes, body: int) -> bytes:
    """Without what follows the diff: a signature, the next commit's message. Then the counts say where it ends."""
    if body < len(data):
        while data.startswith(b"@@", body):
            body = read_hunk(data, body).end
        return data[:body]
    last = data.rfind(b"\n", 0, -1) + 1
    if _HEADER_LINE.match(data, last) or b"\nGIT binary patch\n" in data:
        return data
    end = 0
    while line := _HEADER_LINE.match(data, end):
        end = line.end()
    return data[:end]


def _extended(data: bytes, body: int, header: bytes) -> FileDiff:
    """A section that is more than new lines in an old file."""
    status = _status(header)
    binary = body == len(data) and _BINARY.search(header) is not None
    if status in ("renamed", "copied") and (move := _MOVE.search(header)):
        return FileDiff(_name(move[2]), _name(move[1]), status, data, body, binary)
    name = _same(header[len(_GIT) : header.find(b"\n")])
    if not name:
        sides = _SIDES.search(header)
        if sides is None:
            raise DiffMalformed(f"no file is named: {header[:80]!r}")
        old, new = (_unquoted(side.removesuffix(b"\t")) for side in sides.groups())
        name = _text(_bare(old if new == b"/dev/null" else new))
    return FileDiff(name, name, status, data, body, binary)


def _same(names: bytes) -> str | None:
    """The name that is there twice; blanks in it do no harm, as both halves are equal."""
    if names.startswith(b'"'):
        return _text(_bare(_unquoted(names)))
    half = len(names) // 2
    old, new = names[:half], names[half + 1 :]
    if old.startswith(b"a/") and new.startswith(b"b/"):
        old, new = old[2:], new[2:]
    return _text(new) if old == new and names.startswith(b" ", half) else None


def _combined(data: bytes, body: int) -> FileDiff:
    header = data[:body]
    name = _name(header[header.index(b" ", 6) + 1 : header.index(b"\n")])
    index = re.search(rb"^index ([^.]*)\.\.", header, re.M)
    parents = index[1].count(b",") + 1 if index else 2
    return FileDiff(name, name, _status(header), data, body, b"\nBinary files " in header, parents)


def _status(header: bytes) -> Status:
    kind = _KIND.search(header)
    return _KINDS[kind[1]] if kind else "modified"


def _name(quoted: bytes) -> str:
    return _text(_unquoted(quoted))


def _bare(name: bytes) -> bytes:
    return name[2:] if name.startswith((b"a/", b"b/")) else name


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _unquoted(name: bytes) -> bytes:
    """The name without quotes and escapes; one that has no quotes is returned as it is."""
    quoted = _QUOTED.match(name)
    return _ESCAPE.sub(_unescape, quoted[1]) if quoted else name


def _unescape(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return bytes([_LETTERS[code]]) if code in _LETTERS else code
