"""Files as they were read: a path that cannot leave the project, text, and the way back to bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from inlay.codes import Code
from inlay.errors import Misfit, PathTraversalError

_SHA1_LENGTH = 40
_LEGACY = re.compile("[\udc80-\udcff]")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True, order=True)
class RepoPath:
    """A path below the project's root, in POSIX form; it cannot point outside."""

    value: str

    def __post_init__(self) -> None:
        steps = self.value.split("/")
        if self.value.startswith(("/", "~")) or re.match(r"[A-Za-z]:", self.value):
            raise path_refused(self.value, "is not relative to the project")
        if ".." in re.split(r"[/\\]", self.value) or "\0" in self.value:
            raise path_refused(self.value, "leads out of the project")
        if not self.value or "" in steps or "." in steps:
            raise path_refused(self.value, "is not a plain relative path")

    def __str__(self) -> str:
        return self.value

    @property
    def name(self) -> str:
        return self.value.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The ending with its dot, lower case; empty when there is none."""
        stem, dot, ending = self.name.rpartition(".")
        return f".{ending.lower()}" if dot and stem else ""


def path_refused(name: str, why: str, code: Code = "path-outside") -> PathTraversalError:
    message = f"the path {name[:200]!r} {why}"
    return PathTraversalError(Misfit(code, message, "Name files relative to the project's root.", path=name))


@dataclass(frozen=True, slots=True)
class Encoding:
    """How text became bytes, so that untouched text becomes the same bytes again."""

    name: str = "utf-8"
    bom: bytes = b""
    #: bytes that are no UTF-8 travel as lone surrogates and come out as they went in
    legacy: bool = False

    def encode(self, text: str) -> bytes:
        """Back to bytes; raises UnicodeEncodeError where the encoding has no such character."""
        return self.bom + text.encode(self.name, "surrogateescape" if self.legacy else "strict")


def decode(data: bytes) -> tuple[str, Encoding] | None:
    """Text and its encoding, or None when the bytes are not text."""
    bom, name = next((mark for mark in _BOMS if data.startswith(mark[0])), (b"", "utf-8"))
    if not bom and b"\0" in data:
        return None
    try:
        return data[len(bom) :].decode(name), Encoding(name, bom)
    except UnicodeDecodeError:
        return None if bom else (data.decode("utf-8", "surrogateescape"), Encoding(legacy=True))


def as_read(text: str) -> tuple[str, Encoding]:
    """Text that was decoded elsewhere, without its byte order mark; lone surrogates stand for legacy bytes."""
    bom = b"\xef\xbb\xbf" if text.startswith("\ufeff") else b""
    legacy = not text.isascii() and _LEGACY.search(text) is not None
    return text.removeprefix("\ufeff"), Encoding(bom=bom, legacy=legacy)


@dataclass(frozen=True, slots=True)
class File:
    """One file as it was read."""

    path: RepoPath
    text: str  #: decoded, without a byte order mark, line endings as they are
    encoding: Encoding = Encoding()
    digest: str = ""  #: SHA-256 of the bytes on disk, hex; empty when the text never was on a disk
    mode: int = 0o644

    @classmethod
    def of(cls, path: str, content: str | bytes) -> File:
        """A file in memory; a str may begin with a byte order mark."""
        decoded = decode(content) if isinstance(content, bytes) else as_read(content)
        if decoded is None:
            raise ValueError(f"{path} is not text")
        text, encoding = decoded
        return cls(RepoPath(path), text, encoding, hashlib.sha256(encoding.encode(text)).hexdigest())


def is_blob(file: File, blob_id: str, *, as_is: bool = False) -> bool:
    """Whether a file is what git stores under an id that begins so, as it is or (not `as_is`) with plain line ends."""
    data = file.encoding.encode(file.text)
    contents = [data] if as_is else [data, data.replace(b"\r\n", b"\n")]
    hashes = (hashlib.sha1, hashlib.sha256) if len(blob_id) <= _SHA1_LENGTH else (hashlib.sha256,)
    return any(
        new(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest().startswith(blob_id)
        for content in dict.fromkeys(contents)
        for new in hashes
    )


@dataclass(frozen=True, slots=True)
class BaseText:
    """The text of a file that a model saw when it wrote its edits."""

    text: str
    origin: str = "the model read the file"  #: when that was, after "since"
    note: str = "merged with the file as it is now"  #: of an edit that was made from it
    is_named: bool = False  #: the edits themselves name this very text


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the names in a reply mean, and the files as they were read."""

    names: Mapping[str, RepoPath]  #: name as written -> path meant
    files: Mapping[RepoPath, File]  #: only the files that exist
    #: existing paths of the project that are not among `files`, where a new file would collide
    taken: frozenset[RepoPath] = field(default_factory=frozenset)
    bases: Mapping[RepoPath, BaseText] = field(default_factory=dict)  #: what the model saw, where it is known
    adapted: Mapping[RepoPath, str] = field(default_factory=dict)  #: paths that are not as written, in a sentence
    guesses: frozenset[RepoPath] = field(default_factory=frozenset)  #: paths that only the text of an edit confirms

    @classmethod
    def of(cls, files: Mapping[str, str | bytes]) -> Snapshot:
        """A project in memory: every file is known by its own path."""
        read = {RepoPath(name): File.of(name, content) for name, content in files.items()}
        return cls({str(path): path for path in read}, read)
