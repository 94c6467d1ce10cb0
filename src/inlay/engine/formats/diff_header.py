"""The header of one file in a unified diff: its names on both sides, and what git says happens to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

NOWHERE = "/dev/null"
_EXTENDED = re.compile(
    r"(index [0-9a-fA-F]|old mode |new mode |new file mode |deleted file mode |similarity index |dissimilarity index |"
    r"rename from |rename to |copy from |copy to |Binary files |GIT binary patch|={10,}$)"
)
_IDS = re.compile(r"([0-9a-fA-F]{7,64})\.\.([0-9a-fA-F]{7,64})\b")
_SIDE = re.compile(
    r"(?:[ab]/)?(?:original|old|before|previous|updated|modified|new|after)(?:[ _]file)?(?:\.\w+)?\Z", re.I
)
_SPECIAL = {"120000": "a symbolic link", "160000": "a submodule"}
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.S)
_PLAIN_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "f": b"\f", "v": b"\v"}


@dataclass(slots=True)
class Header:
    old: str | None = None  #: as written after `---`
    new: str | None = None  #: as written after `+++`
    git: str | None = None  #: the name both sides share in `diff --git`
    notes: dict[str, str] = field(default_factory=dict)  #: git's own lines: "rename from" and the like
    end: int = 0  #: first line below the header

    @property
    def is_empty(self) -> bool:
        return self.old is None and self.new is None and self.git is None and not self.notes

    @property
    def path(self) -> str | None:
        """The name of the file, None when there is none or the two sides disagree."""
        old, new = _known(self.old, "a/"), _known(self.new, "b/")
        if not old or not new or old == new:
            return new or old or self.git
        # One name for both sides where only their directories or a backup's ending tell them apart.
        if self.old == self.new:
            return self.new
        backups = (f"{new}.orig", f"{new}.old", f"{new}.bak", f"{new}~")
        if self.old == new or new.endswith(f"/{old}") or old in backups:
            return new
        return old if self.new == old or old.endswith(f"/{new}") else None

    @property
    def base_id(self) -> str | None:
        """The beginning of the blob id of the old side, as git abbreviates it."""
        return self._blob_id(1)

    @property
    def result_id(self) -> str | None:
        """The same of the new side."""
        return self._blob_id(2)

    def _blob_id(self, side: int) -> str | None:
        found = _IDS.match(self.notes.get("index", ""))
        return found.group(side).lower() if found and found.group(side).strip("0") else None

    @property
    def executable(self) -> bool | None:
        """Whether the file may be run afterwards; None where the diff does not change that."""
        mode = self.notes.get("new file mode") or self.notes.get("new mode")
        return None if mode is None else mode == "100755"

    @property
    def special(self) -> str:
        """What the diff is about where that is no file; empty for a file."""
        modes = [self.notes.get(key, "") for key in ("new file mode", "new mode", "old mode", "index")]
        return next((kind for mode in modes for end, kind in _SPECIAL.items() if mode.endswith(end)), "")

    @property
    def disagrees(self) -> bool:
        """Whether the two sides name different files without git calling it a rename."""
        return self.path is None and bool(_known(self.old, "a/")) and bool(_known(self.new, "b/"))


def header_at(lines: Sequence[str], line: int) -> Header:
    """Read the header that begins at a line; an empty one if there is none."""
    header = Header(end=line)
    while header.end < len(lines):
        text = lines[header.end]
        if text.startswith("diff --git "):
            if not header.is_empty:
                break
            header.git = _shared_name(text[11:])
        elif text.startswith("Index: ") and header.is_empty:
            header.git = text[7:].strip()
        elif not _names(header, text, lines):
            if header.old is not None or header.new is not None or not (extended := _EXTENDED.match(text)):
                break
            key = extended.group().strip()
            if key.startswith("index "):
                header.notes["index"] = text[len("index ") :]
            else:
                header.notes[key] = file_name(text[extended.end() :])
        header.end += 1
    return header


def _names(header: Header, text: str, lines: Sequence[str]) -> bool:
    below = lines[header.end + 1] if header.end + 1 < len(lines) else ""
    if text.startswith("--- ") and header.old is None and header.new is None and below.startswith(("+++ ", "@@")):
        header.old = file_name(text[4:])
        return True
    if text.startswith("+++ ") and header.new is None and (header.old is not None or below.startswith("@@")):
        header.new = file_name(text[4:])
        return True
    return False


def file_name(text: str) -> str:
    """A name as git and diff write it: perhaps quoted, perhaps with a time after a tab."""
    text = text.strip(" ")
    if text.startswith('"') and (end := _closing_quote(text)):
        return _unquoted(text[1:end])
    return text.partition("\t")[0].strip().strip("`")


def _closing_quote(text: str) -> int:
    at = 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at if at < len(text) else 0


def _unquoted(text: str) -> str:
    raw = bytearray()
    at = 0
    for found in _ESCAPE.finditer(text):
        raw += text[at : found.start()].encode("utf-8", "surrogatepass")
        mark, at = found.group(1), found.end()
        if len(mark) == 3:
            raw.append(int(mark, 8) & 0xFF)
        else:
            raw += _PLAIN_ESCAPES.get(mark, mark.encode("utf-8", "surrogatepass"))
    raw += text[at:].encode("utf-8", "surrogatepass")
    return raw.decode("utf-8", "surrogateescape")


def _shared_name(text: str) -> str | None:
    """The name in `a/name b/name`, which only its being there twice can delimit."""
    if text.startswith('"') and (end := _closing_quote(text)):
        return _unquoted(text[1:end]).removeprefix("a/")
    half = len(text) // 2
    old, new = text[:half], text[half + 1 :]
    return old[2:] if old[:2] == "a/" and new[:2] == "b/" and old[2:] == new[2:] else (old if old == new else None)


def _known(name: str | None, prefix: str) -> str | None:
    """A side's name, None where it only says which side it is."""
    return None if name is None or name == NOWHERE or _SIDE.match(name) else name.removeprefix(prefix)
